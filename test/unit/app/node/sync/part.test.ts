import { expect, test } from "bun:test";
import type { L1RolePorts } from "#app/node/l1/l1-connection.ts";
import { openImportReport } from "#app/node/sync/reports/import-report.ts";
import { openFollower } from "#app/node/sync/part.ts";
import { BlockAge } from "#app/node/metrics/block-age.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { ChainView } from "#app/node/storage/chain/chain-view.ts";
import { L1_NOT_FOLLOWED } from "#app/node/threads/roles/followed-l1.ts";
import type { NodeThreads } from "#app/node/threads/node-threads.ts";
import type { FromSync, ToSync } from "#services/sync/index.ts";
import { settle } from "#test/helpers/admission-world.ts";
import { FOLLOW } from "#test/helpers/data-folders.ts";
import { compilerWorld } from "#test/helpers/fake-compiler.ts";
import { fakePort } from "#test/helpers/fake-port.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { nonceState } from "#test/helpers/mempool-world.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { nodeHost } from "#test/helpers/node-host.ts";
import { ORDINARY_SETUP } from "#test/helpers/node-setup.ts";
import { unused } from "#test/helpers/serving.ts";
import { importedBlock, refusalOf } from "#test/helpers/sync-messages.ts";

/** Sync of a node whose chain has blocks 0 to 3, with a test in place of its thread. */
function world() {
  const timer = new FakeTimer();
  const host = nodeHost({ timer });
  const port = fakePort<FromSync, ToSync>();
  const followed: L1RolePorts[] = [];
  const refusals: unknown[] = [];
  const view = ChainView.ofStored(
    numberedChain(4, () => nonceState()),
    timer,
  );
  const follower = openFollower(
    FOLLOW,
    {
      options: { sourceGraceMs: 60_000, log: { level: "error", format: "json" } },
      setup: {
        ...ORDINARY_SETUP,
        follow: FOLLOW,
        config: { chainId: "TEST" },
      } as unknown as NodeSetup,
      threads: { end: () => ({ port }) } as unknown as NodeThreads,
      view,
      compiler: compilerWorld(1),
      revert: unused("revert"),
      restart: () => Promise.resolve(),
      report: openImportReport(
        new BlockAge(timer),
        (...refused) => void refusals.push(refused),
        host,
      ),
      leader: null,
      l1: {
        follow(_, ports) {
          followed.push(ports);
          return L1_NOT_FOLLOWED;
        },
      },
      l1Chain: unused("chain for L1"),
    },
    host,
  );
  const metric = async (name: string) =>
    (await host.metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value;
  return { follower, port, followed, refusals, view, host, metric };
}

test("an imported block is counted and visible", async () => {
  const { port, view, metric } = world();
  port.tell(importedBlock(4));
  expect(view.chain.latestNumber()).toBe(4);
  expect(await metric("appchain_l2_block_number")).toBe(4);
});

test("a source with another chain ends the node with exit code 2", async () => {
  const { port, host } = world();
  port.tell({ kind: "otherChain", message: "block 0 differs" });
  await settle();
  expect(await host.lifecycle.closed).toBe(2);
});

test("a refused block is reported with the host of its source, which has no secrets", () => {
  const { port, refusals } = world();
  const refusal = refusalOf(4);
  port.tell({ kind: "refused", refusal });
  expect(refusals).toEqual([[refusal, "127.0.0.1:1"]]);
});

test("L1 is followed without an executor, and settles blocks through the sync thread", async () => {
  const { followed, port } = world();
  const [ports] = followed;
  expect(ports?.production).toBeNull();
  void ports?.settle(3, 0xabcn);
  await settle();
  expect(port.sent.map(({ kind }) => kind)).toContain("settleOnL1");
});
