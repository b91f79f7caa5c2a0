import { describe, expect, test } from "bun:test";
import { transferReads } from "#app/node/fork/transfer-reads.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { balanceKey } from "#engine/execution/index.ts";
import type { InvokeV3 } from "#protocol/chain/index.ts";
import { STRK, transfer } from "#test/helpers/transfer-chain.ts";

const RECIPIENT = 0xb0b0_b0b0n;

/** Addresses and keys of an invoke's reads. */
function readsOf(calldata: readonly bigint[]) {
  const transaction: InvokeV3 = { ...transfer(0n).transaction, calldata };
  return transferReads(transaction, 9).map((query) =>
    query.kind === "storage" ? [query.address, query.key] : [],
  );
}

describe("reads of a transaction", () => {
  test("are the balance of a transfer's recipient, and its alias", () => {
    const key = balanceKey(RECIPIENT);
    expect(readsOf([1n, STRK, selectorFromName("transfer"), 3n, RECIPIENT, 1n, 0n])).toEqual([
      [STRK, key],
      [STRK, key + 1n],
      [2n, key],
    ]);
  });

  test("are the balances of both accounts of transferFrom, in each call", () => {
    const call = [STRK, selectorFromName("transferFrom"), 4n, 0x1001n, 0x1002n, 1n, 0n];
    const other = [0x777n, selectorFromName("transfer"), 3n, RECIPIENT, 1n, 0n];
    const keys = readsOf([2n, ...call, ...other]);
    expect(keys).toContainEqual([STRK, balanceKey(0x1001n)]);
    expect(keys).toContainEqual([STRK, balanceKey(0x1002n)]);
    expect(keys).toContainEqual([0x777n, balanceKey(RECIPIENT)]);
  });

  test.each([
    ["other calls", [1n, STRK, selectorFromName("approve"), 3n, RECIPIENT, 1n, 0n]],
    ["no calldata", []],
    ["a length beyond the calldata", [1n, STRK, 1n, 2n ** 200n, RECIPIENT]],
  ])("are none for %s", (_, calldata) => {
    expect(readsOf(calldata)).toEqual([]);
  });
});
