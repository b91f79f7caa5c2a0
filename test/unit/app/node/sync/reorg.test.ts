import { expect, test } from "bun:test";
import {
  LONGEST_RETRY_MS,
  MAX_QUICK_REVERTS,
  Reorg,
  RETRY_MS,
  STORM_MS,
  STORM_PAUSE_MS,
} from "#app/node/sync/reorg.ts";
import type { ChainRevertOrder } from "#app/node/storage/revert/chain-revert.ts";
import { NodeError } from "#base/errors/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { settle } from "#test/helpers/admission-world.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const ORDER = { kind: "revert", blockNumber: 5, blockHash: 0x55n } as const;

/** Circumstances of a revert. */
interface WorldOptions {
  readonly hash?: bigint;
  readonly settled?: number;
  /** Errors of the first restarts. */
  readonly restartErrors?: readonly NodeError[];
}

function world({ hash = 0x55n, settled = 5, restartErrors = [] }: WorldOptions = {}) {
  const timer = new FakeTimer();
  const lines: string[] = [];
  const orders: ChainRevertOrder[] = [];
  let restarts = 0;
  const reorg = new Reorg({
    chain: {
      header: (number) => (number === 5 ? { hash } : undefined),
      latestNumber: () => 9,
      l1AcceptedNumber: () => settled,
    },
    revert: {
      to(order) {
        orders.push(order);
        order.check();
        return Promise.resolve([9n, 8n, 7n, 6n]);
      },
    },
    restart() {
      const error = restartErrors[restarts++];
      return error === undefined ? Promise.resolve() : Promise.reject(error);
    },
    log: createLogger({ level: "info", format: "text", write: (line) => lines.push(line) }),
    timer,
  });
  return { reorg, timer, lines, orders, restarts: () => restarts };
}

test("reverts the chain to the newest common block", async () => {
  const { reorg, orders, lines, restarts } = world();
  await reorg.to(ORDER);
  expect(orders).toMatchObject([{ blockNumber: 5, keepReceived: true, keepL1Accepted: true }]);
  expect(lines.join("\n")).toMatch(/reorganized: back to block 5[^]*blocks=4/);
  expect(restarts()).toBe(0);
});

test.each([
  ["when the block has changed by then", { hash: 0x66n }, "is no longer the one"],
  ["below a block that L1 has accepted", { settled: 6 }, "block 6 is accepted on L1"],
] as const)("reverts nothing %s, and asks the gateway later", async (_, changed, why) => {
  const { reorg, timer, lines, restarts } = world(changed);
  const done = reorg.to(ORDER);
  await settle();
  expect(lines.join("\n")).toContain(why);
  timer.advance(RETRY_MS - 1);
  await settle();
  expect(restarts()).toBe(0);
  timer.advance(1);
  await done;
  expect(restarts()).toBe(1);
});

test("limits a gateway that alternates between branches to few quick reverts, then one a minute", async () => {
  const { reorg, timer, orders, lines } = world();
  const order = async (): Promise<void> => {
    await reorg.to(ORDER);
    timer.advance(1_000);
  };
  for (let second = 0; second < 40; second++) await order();
  expect(orders).toHaveLength(MAX_QUICK_REVERTS);
  expect(lines.join("\n")).toContain("again and again");
  timer.advance(STORM_PAUSE_MS);
  for (let second = 0; second < 40; second++) await order();
  expect(orders).toHaveLength(MAX_QUICK_REVERTS + 1);
  timer.advance(STORM_MS);
  for (let second = 0; second < 40; second++) await order();
  expect(orders).toHaveLength(2 * MAX_QUICK_REVERTS + 1);
});

test("retries a revert that fails with growing delays, one at a time", async () => {
  const { reorg, timer, orders, restarts } = world({ settled: 6 });
  let waitMs = RETRY_MS;
  for (let attempt = 1; attempt <= 9; attempt++) {
    const done = reorg.to(ORDER);
    await reorg.to(ORDER);
    expect(orders).toHaveLength(attempt);
    timer.advance(waitMs - 1);
    await settle();
    expect(restarts()).toBe(attempt - 1);
    timer.advance(1);
    await done;
    waitMs = Math.min(LONGEST_RETRY_MS, 2 * waitMs);
  }
});

test("reports threads that do not restart, and restarts them again after a longer delay", async () => {
  const failed = new NodeError("NODE_WORKER_FAILED", "the sync thread did not start");
  const { reorg, timer, lines, restarts } = world({ settled: 6, restartErrors: [failed] });
  const done = reorg.to(ORDER);
  await settle();
  timer.advance(RETRY_MS);
  await settle();
  expect(restarts()).toBe(1);
  expect(lines.join("\n")).toMatch(/error.*did not restart.*the sync thread did not start/i);
  timer.advance(2 * RETRY_MS);
  await done;
  expect(restarts()).toBe(2);
});

test("restarts no threads of a node that is stopping", async () => {
  const stopping = new NodeError("NODE_STOPPING", "the node is stopping");
  const { reorg, timer, lines, restarts } = world({ settled: 6, restartErrors: [stopping] });
  const done = reorg.to(ORDER);
  await settle();
  timer.advance(RETRY_MS);
  await done;
  expect(restarts()).toBe(1);
  expect(lines.join("\n")).not.toContain("did not restart");
});
