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

  test.each([
    ["no calldata", []],
    ["a length beyond the calldata", [1n, STRK, 1n, 2n ** 200n, RECIPIENT]],
  ])("are none for %s", (_, calldata) => {
    expect(readsOf(calldata)).toEqual([]);
  });
});
