import { expect, test } from "bun:test";
import { REFUSED_WHEN_SHARED, REFUSED_ON_FULL_NODE } from "#app/node/admin/follower-admin.ts";

const { admission, orders, revert } = REFUSED_ON_FULL_NODE;

test("a full node has no local mempool", async () => {
  expect(await admission.list(0, 10)).toEqual({
    waiting: 0,
    ahead: 0,
    inFlight: 0,
    transactions: [],
  });
});

test.each<readonly [string, () => Promise<unknown>]>([
  ["dropTransaction", () => admission.drop(1n)],
  ["flushMempool", () => admission.flush({})],
  ["closeBlock", () => orders.close()],
  ["addL1HandlerMessage", () => orders.addMessage({} as never)],
  [
    "revertTo",
    () =>
      revert.to({
        blockNumber: 0,
        keepReceived: true,
        keepL1Accepted: true,
        check: () => undefined,
      }),
  ],
])("%s is refused on a full node, with a reference to the sequencer", async (method, use) => {
  expect(await use().then(() => "done", String)).toContain(`ask the sequencer for ${method}`);
});

test("refuses to revert published blocks", async () => {
  const order = { blockNumber: 0, keepReceived: true, keepL1Accepted: true };
  const refused = REFUSED_WHEN_SHARED.revert.to({ ...order, check: () => undefined });
  expect(await refused.then(() => "done", String)).toContain("the blocks are published");
});
