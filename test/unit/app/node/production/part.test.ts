import { expect, test } from "bun:test";
import type { L1RolePorts } from "#app/node/l1/l1-connection.ts";
import { openProduction, type PublicationListener } from "#app/node/production/part.ts";
import { openProductionReports } from "#app/node/production/reports/production-reports.ts";
import { BlockAge } from "#app/node/metrics/block-age.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { ChainView } from "#app/node/storage/chain/chain-view.ts";
import { L1_NOT_FOLLOWED } from "#app/node/threads/roles/followed-l1.ts";
import type { NodeThreads } from "#app/node/threads/node-threads.ts";
import type { AcceptedMessage, GateMessage } from "#services/sequencer/index.ts";
import { compilerWorld } from "#test/helpers/fake-compiler.ts";
import { fakePort } from "#test/helpers/fake-port.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { nonceState } from "#test/helpers/mempool-world.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { nodeHost } from "#test/helpers/node-host.ts";
import { ORDINARY_SETUP } from "#test/helpers/node-setup.ts";
import { unused } from "#test/helpers/serving.ts";
import { importedBlock } from "#test/helpers/sync-messages.ts";

/** Production of a node whose chain has blocks 0 to 3, with a test in place of its threads. */
function world() {
  const timer = new FakeTimer();
  const host = nodeHost({ timer });
  const committer = fakePort<AcceptedMessage | GateMessage, unknown>();
  const events: unknown[] = [];
  const followed: L1RolePorts[] = [];
  const publication: PublicationListener = {
    onPublished: () => events.push("published"),
    onWaiting: (reason) => events.push(["waiting", reason]),
    onRefused: () => events.push("refused"),
  };
  const view = ChainView.ofStored(
    numberedChain(4, () => nonceState()),
    timer,
  );
  const production = openProduction(
    {
      setup: {
        ...ORDINARY_SETUP,
        config: { latestProtocolVersion: "0.14.4", customConstants: new Map() } as unknown,
        chargeFees: false,
      } as NodeSetup,
      threads: {
        end: (kind: string) => ({ port: kind === "committer" ? committer : fakePort() }),
        validators: [],
      } as unknown as NodeThreads,
      queryPool: unused("query pool"),
      view,
      compiler: compilerWorld(1),
      reports: openProductionReports(new BlockAge(timer), () => undefined, host),
      publication,
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
  return { production, committer, events, followed, view, metric };
}

test("an accepted block is counted, visible, and then reported as published", async () => {
  const { committer, events, view, metric } = world();
  committer.tell(importedBlock(4));
  expect(view.chain.latestNumber()).toBe(4);
  expect(await metric("appchain_l2_block_number")).toBe(4);
  expect(events).toEqual(["published"]);
});

test("the publication listener hears of blocks that wait or are refused", () => {
  const { committer, events } = world();
  committer.tell({ kind: "gate", state: "waiting", blockNumber: 4, reason: "status 503" });
  committer.tell({ kind: "gate", state: "open", blockNumber: 4 });
  committer.tell({ kind: "gate", state: "refused", blockNumber: 4 } as GateMessage);
  expect(events).toEqual([["waiting", "status 503"], ["waiting", undefined], "refused"]);
});

test("L1 is followed with the executor's ports", () => {
  const { followed } = world();
  expect(followed.map(({ production }) => production !== null)).toEqual([true]);
});
