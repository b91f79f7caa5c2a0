import { expect, test } from "bun:test";
import { LiveFeed } from "#api/rpc/index.ts";
import { settleAndNotify } from "#app/node/l1/settle-and-notify.ts";

/** Settles block 7, which the role stores or not. @returns the blocks that subscribers were notified of */
async function notified(isStored: boolean): Promise<readonly number[]> {
  const live = new LiveFeed();
  const blocks: number[] = [];
  live.settled = (blockNumber) => void blocks.push(blockNumber);
  const settle = settleAndNotify(() => Promise.resolve(isStored), { live });
  expect(await settle(7, 0xabcn)).toBe(isStored);
  return blocks;
}

test("notifies subscribers of a settled block once it is stored", async () => {
  expect(await notified(true)).toEqual([7]);
});

test("notifies nobody of a block that was not stored as settled", async () => {
  expect(await notified(false)).toEqual([]);
});
