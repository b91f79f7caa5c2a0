import { expect, test } from "bun:test";
import { serveGateway } from "#app/node/gateway/part.ts";
import { ChainView } from "#app/node/storage/chain/chain-view.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { nonceState } from "#test/helpers/mempool-world.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { nodeHost } from "#test/helpers/node-host.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { unused } from "#test/helpers/serving.ts";

test("a node without a gateway has no server, and reads no key for one", async () => {
  const chain = numberedChain(3, () => nonceState());
  const servers = await serveGateway(
    { gateway: null },
    {
      endpoints: { gateway: null },
      setup: unused<NodeSetup>("setup"),
      storage: { view: ChainView.ofStored(chain, new FakeTimer()) },
      roles: { following: () => null },
      leadership: { leads: () => true },
      context: sampleContext(),
      queryPool: unused("query pool"),
    },
    nodeHost(),
  );
  expect(servers).toEqual([]);
});
