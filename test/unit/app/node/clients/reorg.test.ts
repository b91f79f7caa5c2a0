import { expect, test } from "bun:test";
import { Reorg, RETRY_MS } from "#app/node/clients/reorg.ts";
import type { ChainRevertOrder } from "#app/node/revert/chain-revert.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { settle } from "#test/helpers/admission-world.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const ORDER = { kind: "revert", blockNumber: 5, blockHash: 0x55n } as const;

function world({ hash = 0x55n, settled = 5 }: { hash?: bigint; settled?: number } = {}) {
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
      restarts++;
      return Promise.resolve();
    },
    log: createLogger({ level: "info", format: "text", write: (line) => lines.push(line) }),
    timer,
  });
  return { reorg, timer, lines, orders, restarts: () => restarts };
}

test("the chain goes back to the newest block that both have", async () => {
  const { reorg, orders, lines, restarts } = world();
  await reorg.to(ORDER);
  expect(orders).toMatchObject([{ blockNumber: 5, keepReceived: true, keepL1Accepted: true }]);
  expect(lines.join("\n")).toMatch(/reorganized: back to block 5[^]*blocks=4/);
  expect(restarts()).toBe(0);
});

test.each([
  ["when it is another block by then", { hash: 0x66n }, "is another one"],
  ["below a block that L1 has accepted", { settled: 6 }, "block 6 is accepted on L1"],
] as const)("nothing is taken back %s, and the gateway is asked later", async (_, changed, why) => {
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
