import { expect, test } from "bun:test";
import { gasLimitOf, MAX_SMALL_GAS, ranking } from "#services/admission/precedence.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";
import { mempoolEntryOf } from "#services/admission/mempool-entry.ts";
import { encodedTransaction, type InvokeV3 } from "#protocol/chain/index.ts";

const large = { sender: 1n, gasLimit: MAX_SMALL_GAS + 1n };

function invoke(l1Gas: bigint, l2Gas: bigint): InvokeV3 {
  const bound = (maxAmount: bigint) => ({ maxAmount, maxPricePerUnit: 1n });
  const resourceBounds = { l1Gas: bound(l1Gas), l2Gas: bound(l2Gas), l1DataGas: bound(9n) };
  return { ...emptyInvoke(1n, 0n), resourceBounds };
}

const levels = new Map([
  [2n, 1],
  [3n, 4],
]);
const small = { sender: 1n, gasLimit: MAX_SMALL_GAS };

/** Ranks of a small and of a large transaction of senders 1, 2 and 3, with levels 0, 1 and 4. */
function ranksBy(precedence: Parameters<typeof ranking>[0]) {
  const rankOf = ranking(precedence);
  return [1n, 2n, 3n].map((sender) => [rankOf({ ...small, sender }), rankOf({ ...large, sender })]);
}

test("all transactions have one rank unless the executor requests an order", () => {
  expect(ranksBy(undefined)).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
});

test("the level of the sender determines the rank, then the gas bound", () => {
  expect(ranksBy({ levels, isTurnOfOthers: false, holdsBackLarge: false })).toEqual([
    [0, 1],
    [2, 3],
    [8, 9],
  ]);
});

test("small transactions of senders with level 0 come last during the turn of others", () => {
  expect(ranksBy({ levels, isTurnOfOthers: true, holdsBackLarge: false })).toEqual([
    [Infinity, 1],
    [2, 3],
    [8, 9],
  ]);
});

test("large transactions of senders above level 0 stay while the executor holds them", () => {
  expect(ranksBy({ levels, isTurnOfOthers: false, holdsBackLarge: true })).toEqual([
    [0, 1],
    [2, null],
    [8, null],
  ]);
});

test("gas is bounded by L2 gas, else by L1 gas, which pays for 40 000 times as much", () => {
  expect(gasLimitOf(invoke(7n, 5n))).toBe(5n);
  expect(gasLimitOf(invoke(7n, 0n))).toBe(280_000n);
});

test("a pending transaction has its gas bound", () => {
  const transaction = encodedTransaction({ hash: 1n, transaction: invoke(7n, 5n) });
  expect(mempoolEntryOf(transaction, 0).gasLimit).toBe(5n);
});
