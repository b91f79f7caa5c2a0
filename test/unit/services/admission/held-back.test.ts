import { expect, test } from "bun:test";
import { gasLimitOf, heldBackMatcher, MAX_SMALL_GAS } from "#services/admission/held-back.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";
import { mempoolEntryOf } from "#services/admission/mempool-entry.ts";
import { encodedTransaction, type InvokeV3 } from "#protocol/chain/index.ts";

const large = { sender: 1n, gasLimit: MAX_SMALL_GAS + 1n };

function invoke(l1Gas: bigint, l2Gas: bigint): InvokeV3 {
  const bound = (maxAmount: bigint) => ({ maxAmount, maxPricePerUnit: 1n });
  const resourceBounds = { l1Gas: bound(l1Gas), l2Gas: bound(l2Gas), l1DataGas: bound(9n) };
  return { ...emptyInvoke(1n, 0n), resourceBounds };
}

test("nothing is held back unless asked for", () => {
  expect(heldBackMatcher(undefined)(large)).toBe(false);
});

test("of all senders what has more than little gas is held back", () => {
  const isHeldBack = heldBackMatcher({ senders: null });
  expect(isHeldBack(large)).toBe(true);
  expect(isHeldBack({ sender: 1n, gasLimit: MAX_SMALL_GAS })).toBe(false);
});

test("of some senders what has more than little gas is held back", () => {
  const isHeldBack = heldBackMatcher({ senders: [1n, 2n] });
  expect(isHeldBack(large)).toBe(true);
  expect(isHeldBack({ ...large, sender: 3n })).toBe(false);
  expect(isHeldBack({ sender: 2n, gasLimit: 0n })).toBe(false);
});

test("gas is bounded by L2 gas, else by L1 gas, which pays for 40 000 times as much", () => {
  expect(gasLimitOf(invoke(7n, 5n))).toBe(5n);
  expect(gasLimitOf(invoke(7n, 0n))).toBe(280_000n);
});

test("a waiting transaction has its bound", () => {
  const transaction = encodedTransaction({ hash: 1n, transaction: invoke(7n, 5n) });
  expect(mempoolEntryOf(transaction, 0).gasLimit).toBe(5n);
});
