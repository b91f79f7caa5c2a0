import type { Felt } from "#base/primitives/index.ts";
import type { StateDiff } from "#protocol/chain/index.ts";
import type { IntegrityReader } from "#io/storage/index.ts";
import type { BlockContents } from "./block-contents.ts";
import { differ, requireSame } from "./difference.ts";

/** Rows per step of the check, after which it may pause. */
const STEP = 1024;

/** Counts of rows that a block wrote. */
export interface StateRowCounts {
  storage: number;
  nonces: number;
  classes: number;
  compiled: number;
}

/** Class hashes that a diff sets; for a contract deployed and replaced in one block, the replacement. */
export function classChanges(diff: StateDiff): ReadonlyMap<Felt, Felt> {
  return new Map([...diff.deployedContracts, ...diff.replacedClasses]);
}

/** Compiled class hashes that a diff sets. */
export function compiledChanges(diff: StateDiff): ReadonlyMap<Felt, Felt> {
  return new Map([...diff.declaredClasses, ...diff.migratedCompiledClasses]);
}

/** A versioned value that a block set, with its stored rows. */
interface Version {
  readonly table: string;
  readonly field: string;
  readonly expected: Felt;
  /** Value in the row of this block. */
  readonly found: Felt | undefined;
  /** Newest block up to `upTo` with a row. */
  readonly newest: (upTo: number) => number | undefined;
}

/**
 * Checks that the versioned rows of a block match its state diff. Before the oldest block whose state is
 * kept, a row may be pruned if a later one up to that block replaced it: the remaining rows form the base
 * state of the kept blocks.
 *
 * @param oldestState - oldest block whose state is kept
 * @returns counts of the rows present
 * @throws {StorageError} STORAGE_DIFFERENCE
 */
export function* checkState(
  { state }: IntegrityReader,
  { number, diff }: BlockContents,
  oldestState: number,
): Generator<void, StateRowCounts> {
  const counts: StateRowCounts = { storage: 0, nonces: 0, classes: 0, compiled: 0 };
  let looked = 0;
  const check = (kind: keyof StateRowCounts, version: Version): boolean => {
    const { table, field, expected, found, newest } = version;
    const mayBeGone = found === undefined && number < oldestState;
    if (!mayBeGone || (newest(oldestState) ?? number) <= number) {
      requireSame(table, field, expected, found);
      counts[kind]++;
    }
    return ++looked % STEP === 0;
  };
  for (const [address, entries] of diff.storageDiffs) {
    const id = requireContract(state.contractId(address), address);
    for (const [key, expected] of entries) {
      const isStep = check("storage", {
        table: "contract_storage",
        field: `value of ${hex(address)} at ${hex(key)}`,
        expected,
        found: state.storage(id, key, number),
        newest: (upTo) => state.newestStorage(id, key, upTo),
      });
      if (isStep) yield;
    }
  }
  for (const [address, expected] of diff.nonces) {
    const id = requireContract(state.contractId(address), address);
    const isStep = check("nonces", {
      table: "contract_nonce",
      field: `nonce of ${hex(address)}`,
      expected,
      found: state.nonce(id, number),
      newest: (upTo) => state.newestNonce(id, upTo),
    });
    if (isStep) yield;
  }
  for (const [address, expected] of classChanges(diff)) {
    const id = requireContract(state.contractId(address), address);
    const isStep = check("classes", {
      table: "contract_class",
      field: `class hash of ${hex(address)}`,
      expected,
      found: state.classHash(id, number),
      newest: (upTo) => state.newestClassHash(id, upTo),
    });
    if (isStep) yield;
  }
  for (const [classHash, expected] of compiledChanges(diff)) {
    const isStep = check("compiled", {
      table: "compiled_class_hash",
      field: `compiled class hash of ${hex(classHash)}`,
      expected,
      found: state.compiledClassHash(classHash, number),
      newest: (upTo) => state.newestCompiledClassHash(classHash, upTo),
    });
    if (isStep) yield;
  }
  return counts;
}

function requireContract(id: number | undefined, address: Felt): number {
  return id ?? differ("contract", "address", `there is no row of ${hex(address)}`);
}

function hex(value: Felt): string {
  return `0x${value.toString(16)}`;
}
