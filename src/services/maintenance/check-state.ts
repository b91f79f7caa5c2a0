import type { Felt } from "#base/primitives/index.ts";
import type { StateDiff } from "#protocol/chain/index.ts";
import type { IntegrityReader } from "#io/storage/index.ts";
import type { BlockContents } from "./block-contents.ts";
import { differ, requireSame } from "./difference.ts";

/** Rows between two moments at which the check may be left. */
const STEP = 1024;

/** Rows that a block wrote. */
export interface StateRowCounts {
  storage: number;
  nonces: number;
  classes: number;
  compiled: number;
}

/** Class hashes of contracts that a diff sets: one that is deployed and replaced ends with the latter. */
export function classChanges(diff: StateDiff): ReadonlyMap<Felt, Felt> {
  return new Map([...diff.deployedContracts, ...diff.replacedClasses]);
}

/** Compiled class hashes that a diff sets. */
export function compiledChanges(diff: StateDiff): ReadonlyMap<Felt, Felt> {
  return new Map([...diff.declaredClasses, ...diff.migratedCompiledClasses]);
}

/**
 * Checks that the versioned rows of a block are those of its state diff.
 *
 * @returns how many there are
 * @throws {StorageError} STORAGE_DIFFERENCE
 */
export function* checkState(
  { state }: IntegrityReader,
  { number, diff }: BlockContents,
): Generator<void, StateRowCounts> {
  const counts: StateRowCounts = { storage: 0, nonces: 0, classes: 0, compiled: 0 };
  for (const [address, entries] of diff.storageDiffs) {
    const id = requireContract(state.contractId(address), address);
    for (const [key, value] of entries) {
      const field = `value of ${hex(address)} at ${hex(key)}`;
      requireSame("contract_storage", field, value, state.storage(id, key, number));
      if (++counts.storage % STEP === 0) yield;
    }
  }
  for (const [address, nonce] of diff.nonces) {
    const id = requireContract(state.contractId(address), address);
    const field = `nonce of ${hex(address)}`;
    requireSame("contract_nonce", field, nonce, state.nonce(id, number));
    if (++counts.nonces % STEP === 0) yield;
  }
  for (const [address, classHash] of classChanges(diff)) {
    const id = requireContract(state.contractId(address), address);
    const field = `class hash of ${hex(address)}`;
    requireSame("contract_class", field, classHash, state.classHash(id, number));
    if (++counts.classes % STEP === 0) yield;
  }
  for (const [classHash, compiled] of compiledChanges(diff)) {
    const field = `compiled class hash of ${hex(classHash)}`;
    const found = state.compiledClassHash(classHash, number);
    requireSame("compiled_class_hash", field, compiled, found);
    if (++counts.compiled % STEP === 0) yield;
  }
  return counts;
}

function requireContract(id: number | undefined, address: Felt): number {
  return id ?? differ("contract", "address", `there is no row of ${hex(address)}`);
}

function hex(value: Felt): string {
  return `0x${value.toString(16)}`;
}
