import { expect, test } from "bun:test";
import { MessageIndex, MessageListing } from "#services/l1-watch/index.ts";
import { messageLog } from "#test/helpers/l1-message-model.ts";

const BLOCK = { number: 5, hash: 5n };

test("lists each message once, with whether a block contains it", async () => {
  const index = new MessageIndex(100);
  const listing = new MessageListing({
    chain: {
      consumedMessage: (nonce) =>
        nonce < 2n ? { transactionHash: 1n, blockNumber: 1 } : undefined,
    },
    chainId: 0x1234n,
    index,
    yieldToOthers: () => Promise.resolve(),
  });
  const logs = [1n, 2n, 3n].map((nonce) => messageLog(nonce, [nonce], BLOCK));
  listing.begins(0);
  await listing.logs(logs.slice(0, 2));
  await listing.logs([...logs, messageLog(4n, [2n ** 256n - 1n], BLOCK)]);
  await listing.step();
  const listed = index.ofL1Transaction(5000n);
  expect(listed.map(({ nonce, isWaiting }) => [nonce, isWaiting])).toEqual([
    [1n, false],
    [2n, true],
    [3n, true],
  ]);
  listing.begins(0);
  expect(index.size).toBe(0);
  await listing.logs(logs);
  expect(index.size).toBe(3);
});

test("abandons a range when it is reset meanwhile", async () => {
  const index = new MessageIndex(1_000);
  const listing: MessageListing = new MessageListing({
    chain: { consumedMessage: () => undefined },
    chainId: 0x1234n,
    index,
    async yieldToOthers() {
      await Promise.resolve();
      listing.reset();
    },
  });
  listing.begins(0);
  await listing.logs(Array.from({ length: 500 }, (_, i) => messageLog(BigInt(i), [], BLOCK)));
  expect(index.size).toBe(0);
});
