import { expect, test } from "bun:test";
import { ChainSource } from "#api/rpc/ws/chain-source.ts";
import { SubscriptionWorld } from "#test/helpers/subscription-world.ts";

/** A block that was seen before it was accepted, and how often the database was asked for receipts. */
function seenBlock() {
  const world = new SubscriptionWorld();
  const source = new ChainSource(world.context);
  world.execute();
  source.unaccepted();
  world.accept();
  let reads = 0;
  const { receipts } = world.context.chain;
  Object.assign(world.context.chain, {
    receipts: (number: number) => (reads++, receipts(number)),
  });
  const header = source.header(1);
  if (header === undefined) throw new RangeError("there is no block 1");
  return { source, header, reads: () => reads };
}

test("the content of a block that was seen before is not read again", () => {
  const { source, header, reads } = seenBlock();
  expect([source.content(header).receipts.length, reads()]).toEqual([1, 0]);
});

test("it is forgotten once it is told, and then read when it is asked for, once", () => {
  const { source, header, reads } = seenBlock();
  source.forget(0);
  expect([source.content(header).receipts.length, reads()]).toEqual([1, 0]);
  source.forget(1);
  const content = source.content(header);
  expect(reads()).toBe(0);
  expect([content.receipts.length, content.receipts.length, reads()]).toEqual([1, 1, 1]);
});
