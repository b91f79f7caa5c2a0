import { describe, expect, test } from "bun:test";
import { selectorFromName } from "#protocol/crypto/index.ts";
import type { CallOutcome } from "#engine/execution/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { balanceWrites, type CallOn } from "#services/sequencer/token-balance.ts";
import { InitialState } from "#test/helpers/scenario/initial-state.ts";

const TOKEN = 0x70cn;
const ACCOUNT = 0xaccn;
const LOW_128 = (1n << 128n) - 1n;

/** Cell of an account in the variable `index` of a token. */
const cellOf = (account: bigint, index = 0n): bigint => (account << 16n) + index * 0x100n;

type Balance = (read: (key: bigint, contract?: bigint) => bigint, account: bigint) => bigint[];

function tokenOf(balance: Balance, name = "balance_of") {
  const state = new InitialState();
  state.classHashes.set(TOKEN, 0xc1a55n);
  const call: CallOn = (on: StateReader, { entryPointSelector, calldata }): CallOutcome => {
    if (entryPointSelector !== selectorFromName(name)) return { kind: "entry_point_not_found" };
    const [account = 0n] = calldata;
    const read = (key: bigint, contract = TOKEN): bigint => on.storageAt(contract, key);
    try {
      return { kind: "ok", retdata: balance(read, account) };
    } catch {
      const failure = { frames: [], message: "'u128 overflow'", text: "" };
      return { kind: "failed", failure, retdata: [] };
    }
  };
  const find = (amount: bigint) =>
    balanceWrites({ token: TOKEN, account: ACCOUNT, amount }, state, call);
  return { state, call, find };
}

const write = (key: bigint, value: bigint, contractAddress = TOKEN) => ({
  contractAddress,
  key,
  value,
});

/** A variable of 128 bits, as Cairo 1 reads it. */
function halfOf(value: bigint): bigint {
  if (value > LOW_128) throw new RangeError("u128 overflow");
  return value;
}

const PAIR: Balance = (read, account) => [
  halfOf(read(cellOf(account))),
  halfOf(read(cellOf(account) + 1n)),
];

describe("a balance in two variables", () => {
  test("is set in the low one if the high one is 0", () => {
    const key = cellOf(ACCOUNT);
    expect(tokenOf(PAIR).find(5n)).toEqual({ kind: "found", writes: [write(key, 5n)] });
  });

  test("is set in both if the amount needs both", () => {
    const key = cellOf(ACCOUNT);
    expect(tokenOf(PAIR).find((7n << 128n) + 9n)).toEqual({
      kind: "found",
      writes: [write(key, 9n), write(key + 1n, 7n)],
    });
  });

  test("is set in both if the high one is not 0", () => {
    const { state, find } = tokenOf(PAIR);
    const key = cellOf(ACCOUNT);
    state.store(TOKEN, key + 1n, 3n);
    expect(find(0n)).toEqual({ kind: "found", writes: [write(key, 0n), write(key + 1n, 0n)] });
  });
});

test("finds a balance of one felt in a token with the older function name", () => {
  const { find } = tokenOf((read, account) => [read(cellOf(account))], "balanceOf");
  expect(find(6n)).toEqual({ kind: "found", writes: [write(cellOf(ACCOUNT), 6n)] });
});

test("rejects an amount that a balance of one felt cannot hold", () => {
  const { find } = tokenOf((read, account) => [read(cellOf(account))]);
  expect(find(1n << 251n)).toEqual({
    kind: "refused",
    reason: `token 0x70c has balances of one felt, and ${1n << 251n} is larger`,
  });
});

test("finds a balance that another contract stores", () => {
  const { find } = tokenOf((read, account) => [read(cellOf(account), 0xda7an), 0n]);
  expect(find(6n)).toEqual({ kind: "found", writes: [write(cellOf(ACCOUNT), 6n, 0xda7an)] });
});

test("never writes a variable that balances of other accounts use, even if that sets the amount", () => {
  // With one share, the balance equals the price of a share.
  const { state, find } = tokenOf((read, account) => [read(cellOf(account)) * read(0x9n), 0n]);
  state.store(TOKEN, cellOf(ACCOUNT), 1n);
  state.store(TOKEN, 0x9n, 2n);
  expect(find(7n)).toEqual({
    kind: "refused",
    reason: `token 0x70c: no storage variable sets what balance_of returns for 0xacc to 7: tried 0x${cellOf(ACCOUNT).toString(16)}`,
  });
});

test("writes no other variable of the account if the balance is the amount already", () => {
  const isFrozen = (account: bigint): bigint => cellOf(account, 1n);
  const { state, find } = tokenOf((read, account) => {
    read(isFrozen(account));
    return [read(cellOf(account)), 0n];
  });
  state.store(TOKEN, cellOf(ACCOUNT), 5n);
  expect(find(5n)).toEqual({ kind: "found", writes: [write(cellOf(ACCOUNT), 5n)] });
});

test("leaves the state unchanged", () => {
  const { state, find } = tokenOf(PAIR);
  find(5n);
  expect(state.storageAt(TOKEN, cellOf(ACCOUNT))).toBe(0n);
});

test("names what a contract without balances lacks", () => {
  const { call, state } = tokenOf(() => [1n, 2n, 3n]);
  const search = (token: bigint) => balanceWrites({ token, account: 1n, amount: 1n }, state, call);
  expect(search(TOKEN)).toEqual({
    kind: "refused",
    reason: "token 0x70c returns no balance: balance_of returns 3 felts; balanceOf is missing",
  });
  expect(search(0x404n)).toEqual({ kind: "refused", reason: "token 0x404 is no contract" });
});

test("names a balance that no variable of the account decides", () => {
  const { find } = tokenOf(() => [1n, 0n]);
  expect(find(2n)).toEqual({
    kind: "refused",
    reason:
      "token 0x70c: no storage variable sets what balance_of returns for 0xacc to 2: it reads none for this account",
  });
});
