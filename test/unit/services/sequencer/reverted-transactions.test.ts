import { expect, test } from "bun:test";
import type { HashedTransaction, Receipt, Transaction } from "#protocol/chain/index.ts";
import { revertedTransactionsOf } from "#services/sequencer/index.ts";

const invoke = (i: number): HashedTransaction => ({
  hash: BigInt(i),
  transaction: { type: "INVOKE", senderAddress: BigInt(i) + 0x100n } as unknown as Transaction,
});
const deploy: HashedTransaction = {
  hash: 0xden,
  transaction: { type: "DEPLOY_ACCOUNT", contractAddress: 0xadn } as unknown as Transaction,
};
const succeeded = { status: { kind: "succeeded" } } as Receipt;
const reverted = (reason: string): Receipt => ({
  ...succeeded,
  status: { kind: "reverted", reason },
});

test("reports hash, sender and reason of each", () => {
  const transactions = [invoke(1), invoke(2), deploy];
  const receipts = [succeeded, reverted("a"), reverted("b")];
  expect(revertedTransactionsOf(transactions, receipts)).toEqual({
    count: 2,
    first: [
      { hash: 2n, sender: 0x102n, reason: "a" },
      { hash: 0xden, sender: 0xadn, reason: "b" },
    ],
  });
  expect(revertedTransactionsOf([invoke(1)], [succeeded])).toEqual({ count: 0, first: [] });
});

test("reports the first ten of many, and counts all", () => {
  const transactions = Array.from({ length: 300 }, (_, i) => invoke(i));
  const { count, first } = revertedTransactionsOf(
    transactions,
    transactions.map(() => reverted("x")),
  );
  expect([count, first.map(({ hash }) => hash)]).toEqual([
    300,
    transactions.slice(0, 10).map(({ hash }) => hash),
  ]);
});

test("reports the relevant line of a reason", () => {
  // Forms of the reference engine: see test/fixtures/oracle.
  const cases: readonly [string, string][] = [
    [
      "Insufficient max L1Gas: max amount: 60, actual used: 86.",
      "Insufficient max L1Gas: max amount: 60, actual used: 86.",
    ],
    [
      "Transaction execution has failed:\n0: Error in the called contract (contract address: 0x1, class hash: 0x2, selector: 0x3):\nExecution failed. Failure reason:\nError in contract (contract address: 0x1, class hash: 0x2, selector: 0x3):\n0x65 ('ERC20: insufficient balance').\n",
      "0x65 ('ERC20: insufficient balance').",
    ],
    [
      "Transaction execution has failed:\n0: Error in the called contract (contract address: 0x1, class hash: 0x2, selector: 0x3):\nError at pc=0:5:\nAssertion failed, 0 is equal to 0\nCairo traceback (most recent call last):\nUnknown location (pc=0:119)\n\n",
      "Assertion failed, 0 is equal to 0",
    ],
    ["", ""],
    ["\n\n", ""],
  ];
  for (const [reason, line] of cases) {
    expect(revertedTransactionsOf([invoke(1)], [reverted(reason)]).first[0]?.reason).toBe(line);
  }
  const endless = revertedTransactionsOf([invoke(1)], [reverted("x".repeat(100_000))]);
  expect(endless.first[0]?.reason).toHaveLength(400);
});
