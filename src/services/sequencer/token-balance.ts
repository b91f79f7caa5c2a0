import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { CallOutcome, ContractCall } from "#engine/execution/index.ts";
import { CachedState, RecordingReader, type StateReader } from "#engine/state/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import type { StorageWrite } from "./state-change.ts";

/** Balance of an account in an ERC-20 token. */
export interface TokenBalance {
  readonly token: Felt;
  readonly account: Felt;
  /** Below 2^256. */
  readonly amount: bigint;
}

/** Calls a contract on a state, without changing it. */
export type CallOn = (state: StateReader, call: ContractCall) => CallOutcome;

/** Result of {@link balanceWrites}. */
export type BalanceSearch =
  | { readonly kind: "found"; readonly writes: readonly StorageWrite[] }
  | { readonly kind: "refused"; readonly reason: string };

/** Functions that return a balance: that of Cairo 1 tokens, and that of older ones. */
const FUNCTIONS = ["balance_of", "balanceOf"] as const;

/** Maximum variables that are tried; a token reads one or two of an account. */
const MAX_TRIED = 16;

/**
 * Sierra gas of one call; a token needs about a hundredth. A search has dozens of calls, during which no
 * transaction is executed.
 */
export const BALANCE_CALL_GAS = 50_000_000;

/** Account that no one uses: variables that its balance reads too are not those of one account. */
const OTHER_ACCOUNTS: readonly [Felt, Felt] = [0x6f74686572_01n, 0x6f74686572_02n];

const LOW_128 = (1n << 128n) - 1n;

type Balance = Exclude<ReturnType<BalanceReader["read"]>, string>;

/**
 * Finds the storage variables that hold an account's balance: among those that the token reads for this
 * account alone, the one that sets the returned balance to the amount, and to another amount as well. A
 * balance has one variable, or two in sequence for its low and high half.
 *
 * @param state - state on which the token is called
 */
export function balanceWrites(
  { token, account, amount }: TokenBalance,
  state: StateReader,
  call: CallOn,
): BalanceSearch {
  const tokenName = `token ${hexFromFelt(token)}`;
  if (state.classHashAt(token) === 0n) {
    return { kind: "refused", reason: `${tokenName} is no contract` };
  }
  const failures: string[] = [];
  for (const name of FUNCTIONS) {
    const reader = new BalanceReader(token, name, call);
    const balance = reader.read(state, account);
    if (typeof balance === "string") failures.push(`${name} ${balance}`);
    else return search(reader, { account, amount, balance, state, tokenName });
  }
  return { kind: "refused", reason: `${tokenName} returns no balance: ${failures.join("; ")}` };
}

interface Search {
  readonly account: Felt;
  readonly amount: bigint;
  readonly balance: Balance;
  readonly state: StateReader;
  readonly tokenName: string;
}

function search(reader: BalanceReader, searched: Search): BalanceSearch {
  const { account, amount, balance, state, tokenName } = searched;
  if (balance.isFelt && !isFelt(amount)) {
    return {
      kind: "refused",
      reason: `${tokenName} has balances of one felt, and ${amount} is larger`,
    };
  }
  const [first, second] = OTHER_ACCOUNTS;
  const other = reader.read(state, account === first ? second : first);
  const cells = balance.cells.filter(
    (cell) => typeof other === "string" || !other.cells.some((one) => isSame(one, cell)),
  );
  const control = amount === 0n ? 1n : amount - 1n;
  for (const candidate of candidatesOf(cells.slice(0, MAX_TRIED))) {
    const writes = candidate(amount);
    const others = candidate(control);
    if (writes === undefined || others === undefined) continue;
    const sets = (tried: readonly StorageWrite[], expected: bigint): boolean => {
      const read = reader.read(withWrites(state, tried), account);
      return typeof read !== "string" && read.amount === expected;
    };
    if (sets(writes, amount) && sets(others, control)) return { kind: "found", writes };
  }
  const tried = cells.slice(0, MAX_TRIED).map(({ contractAddress, key }) => {
    const place = contractAddress === reader.token ? "" : ` of ${hexFromFelt(contractAddress)}`;
    return `${hexFromFelt(key)}${place}`;
  });
  const read = tried.length === 0 ? "it reads none for this account" : `tried ${tried.join(", ")}`;
  return {
    kind: "refused",
    reason: `${tokenName}: no storage variable sets what ${reader.name} returns for ${hexFromFelt(account)} to ${amount}: ${read}`,
  };
}

type Cell = Pick<StorageWrite, "contractAddress" | "key">;

/** Writes that set a balance; `undefined` for an amount that does not fit. */
type Candidate = (amount: bigint) => readonly StorageWrite[] | undefined;

/** A single variable goes first: it changes less. */
function candidatesOf(cells: readonly Cell[]): readonly Candidate[] {
  const single = cells.map(
    (cell): Candidate =>
      (amount) =>
        isFelt(amount) ? [{ ...cell, value: amount }] : undefined,
  );
  const pairs = cells.flatMap((low): Candidate[] => {
    const next = { ...low, key: low.key + 1n };
    const high = cells.find((cell) => isSame(cell, next));
    if (high === undefined) return [];
    return [
      (amount) => [
        { ...low, value: amount & LOW_128 },
        { ...high, value: amount >> 128n },
      ],
    ];
  });
  return [...single, ...pairs];
}

/** Values of one felt are below 2^251: no balance needs more. */
function isFelt(amount: bigint): boolean {
  return amount < 1n << 251n;
}

function isSame(a: Cell, b: Cell): boolean {
  return a.contractAddress === b.contractAddress && a.key === b.key;
}

function withWrites(state: StateReader, writes: readonly StorageWrite[]): StateReader {
  const changed = new CachedState(state);
  for (const { contractAddress, key, value } of writes) {
    changed.setStorage(contractAddress, key, value);
  }
  return changed;
}

/** Reads balances by one function of a token. */
class BalanceReader {
  readonly token: Felt;
  readonly name: string;
  readonly #selector: Felt;
  readonly #call: CallOn;

  constructor(token: Felt, name: string, call: CallOn) {
    this.token = token;
    this.name = name;
    this.#selector = selectorFromName(name);
    this.#call = call;
  }

  /** @returns the balance with the variables that it reads, in their order; otherwise the reason as text */
  read(state: StateReader, account: Felt) {
    const recorded = new RecordingReader(state);
    const outcome = this.#call(recorded, {
      contractAddress: this.token,
      entryPointSelector: this.#selector,
      calldata: [account],
    });
    if (outcome.kind !== "ok") return failureText(outcome);
    const [low = 0n, high = 0n] = outcome.retdata;
    const { length } = outcome.retdata;
    if (length !== 1 && length !== 2) return `returns ${length} felts`;
    const cells: Cell[] = [];
    for (const [contractAddress, keys] of recorded.readSet().storage) {
      for (const key of keys.keys()) cells.push({ contractAddress, key });
    }
    return { amount: low + (high << 128n), isFelt: length === 1, cells };
  }
}

function failureText(outcome: Exclude<CallOutcome, { readonly kind: "ok" }>): string {
  switch (outcome.kind) {
    case "entry_point_not_found":
      return "is missing";
    case "contract_not_found":
      return "is missing: there is no contract";
    case "cancelled":
      return "was cancelled";
    case "failed":
      return `fails: ${outcome.failure.message}`;
  }
}
