import { expect, test } from "bun:test";
import type { CoreContractLog, L1Block, L1View } from "#io/l1/index.ts";
import { readRange } from "#services/l1-watch/read-range.ts";
import { l1FailureOf } from "#test/helpers/l1-failure.ts";
import { updateOf } from "#test/helpers/l1-chain.ts";

function blockOf(number: number): L1Block {
  return { number, hash: BigInt(100 + number), parentHash: BigInt(99 + number), timestamp: 0 };
}

/** A view of blocks up to 20 with these logs, for any requested range. */
function viewOf(places: readonly (readonly [block: number, logIndex: number])[]): L1View {
  const logs = places.map(([number, logIndex]): CoreContractLog => {
    return { ...updateOf(1, blockOf(number)), logIndex };
  });
  return {
    block: blockOf(20),
    head: blockOf(20),
    logs: () => Promise.resolve(logs),
    hashOf: (number) => Promise.resolve(number > 20 ? undefined : blockOf(number).hash),
    coreState: () => Promise.resolve({ blockNumber: -1n, blockHash: 0n, stateRoot: 0n }),
    nextMessageNonce: () => Promise.resolve(0n),
    messages: () => Promise.resolve([]),
  };
}

const FROM_FIVE = { next: 5, last: blockOf(4) };

test("accepts ordered logs, including those of the first and last block of the range", async () => {
  const view = viewOf([
    [5, 0],
    [5, 3],
    [6, 1],
    [9, 0],
  ]);
  const read = await readRange(view, FROM_FIVE, 5);
  expect(read).toMatchObject({ kind: "read", position: { next: 10, last: { number: 9 } } });
  expect(read.kind === "read" && read.updates).toHaveLength(4);
});

test("rejects logs out of order, duplicated, or of other blocks", async () => {
  const wrong = [
    [
      [6, 0],
      [5, 0],
    ],
    [
      [6, 1],
      [6, 0],
    ],
    [
      [6, 1],
      [6, 1],
    ],
    [[4, 0]],
    [[10, 0]],
  ] as const;
  for (const places of wrong) {
    const reading = readRange(viewOf(places), FROM_FIVE, 5);
    expect(await l1FailureOf(reading)).toMatchObject({ code: "L1_CONTRADICTORY", retryable: true });
  }
});

test("rejects a chain that lacks the range's last block", async () => {
  const view = { ...viewOf([]), hashOf: () => Promise.resolve(undefined) };
  const reading = readRange(view, { next: 5, last: undefined }, 5);
  expect(await l1FailureOf(reading)).toMatchObject({ code: "L1_CONTRADICTORY" });
});
