import { describe, expect, test } from "bun:test";
import { callReads } from "#app/node/fork/call-reads.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { balanceKey } from "#engine/execution/index.ts";
import { originQueryText } from "#io/origin/index.ts";
import type { InvokeV3 } from "#protocol/chain/index.ts";
import { STRK, transfer } from "#test/helpers/transfer-chain.ts";

const RECIPIENT = 0xb0b0_b0b0n;

const BLOCK = 9;
const STRANGER = 1n << 248n;

/** What an invoke with the calldata reads, as texts. */
function readsOf(calldata: readonly bigint[]): readonly string[] {
  const transaction: InvokeV3 = { ...transfer(0n).transaction, calldata };
  return callReads(transaction, BLOCK).map(originQueryText);
}

function storage(address: bigint, key: bigint): string {
  return originQueryText({ kind: "storage", block: BLOCK, address, key });
}

function classHash(address: bigint): string {
  return originQueryText({ kind: "classHash", block: BLOCK, address });
}

describe("reads of a transaction", () => {
  test("are the token's class and the balance of a transfer's recipient, and their aliases", () => {
    const key = balanceKey(RECIPIENT);
    expect(readsOf([1n, STRK, selectorFromName("transfer"), 3n, RECIPIENT, 1n, 0n])).toEqual([
      classHash(STRK),
      storage(2n, STRK),
      storage(STRK, key),
      storage(STRK, key + 1n),
      storage(2n, key),
    ]);
  });

  test("are the balances of both accounts of transferFrom, in each call", () => {
    const call = [STRK, selectorFromName("transferFrom"), 4n, 0x1001n, 0x1002n, 1n, 0n];
    const other = [0x777n, selectorFromName("transfer"), 3n, RECIPIENT, 1n, 0n];
    const reads = readsOf([2n, ...call, ...other]);
    expect(reads).toContain(storage(STRK, balanceKey(0x1001n)));
    expect(reads).toContain(storage(STRK, balanceKey(0x1002n)));
    expect(reads).toContain(storage(0x777n, balanceKey(RECIPIENT)));
  });

  test("are the classes of contracts that the arguments of other calls may name", () => {
    expect(readsOf([1n, 0x20n, selectorFromName("approve"), 3n, STRANGER, 1n, 0n])).toEqual([
      classHash(0x20n),
      classHash(STRANGER),
    ]);
  });

  test("are the same for a Cairo 0 account's call array", () => {
    const selector = selectorFromName("transfer");
    const reads = readsOf([1n, STRK, selector, 0n, 3n, 3n, RECIPIENT, 1n, 0n]);
    expect(reads).toEqual(readsOf([1n, STRK, selector, 3n, RECIPIENT, 1n, 0n]));
  });

  test("are limited to the first calls and to their first arguments", () => {
    const calls = Array.from({ length: 20 }, (_, i) => [0x777n + BigInt(i), 1n, 0n]);
    const called = readsOf([20n, ...calls.flat()]);
    expect(called).toContain(classHash(0x777n + 7n));
    expect(called).not.toContain(classHash(0x777n + 8n));
    const given = Array.from({ length: 40 }, (_, i) => STRANGER + BigInt(i));
    const named = readsOf([1n, 0x20n, 1n, 40n, ...given]);
    expect(named).toContain(classHash(STRANGER + 15n));
    expect(named).not.toContain(classHash(STRANGER + 16n));
  });

  test.each([
    ["no calldata", []],
    ["a length beyond the calldata", [1n, STRK, 1n, 2n ** 200n, RECIPIENT]],
  ])("are none for %s", (_, calldata) => {
    expect(readsOf(calldata)).toEqual([]);
  });
});
