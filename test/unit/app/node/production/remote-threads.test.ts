import { describe, expect, test } from "bun:test";
import { RemoteThreads } from "#app/node/production/remote-threads.ts";
import type { DeltaMessage } from "#services/admission/index.ts";
import type {
  AcceptedMessage,
  ClockJumpMessage,
  ControlReply,
  ControlRequest,
  SettledOnL1,
  SettleOnL1,
} from "#services/sequencer/index.ts";
import { fakePort } from "#test/helpers/fake-port.ts";

function world() {
  const executor = fakePort<DeltaMessage | ControlReply | ClockJumpMessage, ControlRequest>();
  const committer = fakePort<AcceptedMessage | SettledOnL1, SettleOnL1>();
  const remote = new RemoteThreads(
    { executor: { port: executor }, committer: { port: committer } },
    [],
  );
  const seen: string[] = [];
  remote.onGrowth(() => seen.push("growth"));
  const sources = remote.sources();
  sources.deltas.listen((delta) => seen.push(`delta ${delta.sequence}`));
  sources.accepted.listen(({ blockNumber }) => seen.push(`block ${blockNumber}`));
  return { remote, executor, committer, seen };
}

const DELTA: DeltaMessage = {
  kind: "delta",
  blockNumber: 1,
  sequence: 4,
  bytes: new Uint8Array(),
};

describe("remote threads", () => {
  test("deliver chain growth before they settle those who wait for it", () => {
    const { executor, committer, seen } = world();
    executor.tell(DELTA);
    committer.tell({
      kind: "accepted",
      blockNumber: 1,
      blockHash: 1n,
      transactionCount: 0,
      eventCount: 0,
      revertedTransactions: { count: 0, first: [] },
      productionSeconds: 0,
      commitSeconds: 0,
    });
    expect(seen).toEqual(["delta 4", "growth", "block 1", "growth"]);
  });

  test("report a jump of the wall clock, which is no growth", () => {
    const { remote, executor, seen } = world();
    remote.onClockJump((byMs) => seen.push(`jump by ${byMs}`));
    executor.tell({ kind: "clockJump", byMs: -90_000 });
    expect(seen).toEqual(["jump by -90000"]);
  });

  test("resolve each order with its reply", async () => {
    const { remote, executor, seen } = world();
    const command = { kind: "createBlock", fresh: true } as const;
    const first = remote.control.order(command, "sealed");
    const second = remote.control.order({ kind: "increaseTime", seconds: 1, seal: false }, "set");
    expect(executor.sent).toEqual([
      { kind: "control", id: 0, command },
      { kind: "control", id: 1, command: { kind: "increaseTime", seconds: 1, seal: false } },
    ]);
    executor.tell({ kind: "controlled", id: 1, outcome: { kind: "set" } });
    executor.tell({ kind: "controlled", id: 0, outcome: { kind: "sealed", blockNumber: 9 } });
    expect(await first).toEqual({ kind: "sealed", blockNumber: 9 });
    expect(await second).toEqual({ kind: "set" });
    expect(seen).toEqual([]);
  });

  test("reject an order with the executor's reason", () => {
    const { remote, executor } = world();
    const order = remote.control.order({ kind: "increaseTime", seconds: 1, seal: false }, "set");
    executor.tell({ kind: "controlled", id: 0, outcome: { kind: "refused", reason: "no room" } });
    expect(order).rejects.toThrow("no room");
  });

  test("resolve a settlement on L1 once the committer confirms it", async () => {
    const { remote, committer } = world();
    const settled = remote.settleOnL1(7, 0x77n);
    expect(committer.sent).toEqual([
      { kind: "settleOnL1", id: 0, blockNumber: 7, blockHash: 0x77n },
    ]);
    committer.tell({ kind: "settledOnL1", id: 0, isDone: true });
    expect(await settled).toBe(true);
  });

  test("settle pending orders when the node stops", async () => {
    const { remote } = world();
    const settled = remote.settleOnL1(7, 0x77n);
    const order = remote.control.order({ kind: "createBlock", fresh: false }, "sealed");
    let stops = 0;
    remote.onStop(() => stops++);
    remote.stop();
    expect([await settled, stops]).toEqual([false, 1]);
    expect(order).rejects.toThrow("the node is stopping");
  });
});

test("settle pending orders when the threads are interrupted", async () => {
  const { remote } = world();
  let interruptions = 0;
  remote.onInterrupt(() => interruptions++);
  const order = remote.control.order({ kind: "createBlock", fresh: false }, "sealed");
  const settling = remote.settleOnL1(3, 0x33n);
  remote.interrupt();
  expect(order).rejects.toThrow("was reverted");
  expect([await settling, interruptions]).toEqual([false, 1]);
  await order.catch(() => undefined);
});
