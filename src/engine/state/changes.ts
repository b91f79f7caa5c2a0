import { EMPTY_STATE_DIFF, type ExecutableClass, type StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { type ContractCache, type Journal, JournalField } from "./contract-cache.ts";

/** State diff plus the number of storage keys that changed from zero to another value. */
export interface Changes {
  readonly diff: StateDiff;
  /** Number of storage cells that changed from 0 to a non-zero value. */
  readonly allocatedKeys: number;
}

/** Old values of one contract at the start of the interval; turned into the changes in place. */
interface Originals {
  readonly contract: ContractCache;
  storage: Map<Felt, Felt> | undefined;
  nonce: Felt | undefined;
  classHash: Felt | undefined;
}

/** Old compiled class hashes and new declarations at the start of the interval. */
interface ClassOriginals {
  /** Compiled class hashes by class hash. */
  readonly compiled: Map<Felt, Felt>;
  readonly declared: Set<Felt>;
}

/**
 * Difference between the state at journal position `start` and the current state. The first old value that
 * the journal holds for a cell is the cell's value at the start.
 *
 * @param compiledClassHashes - current compiled class hashes
 */
export function collectChanges(
  journal: Journal,
  start: number,
  compiledClassHashes: ContractCache,
  declared: ReadonlyMap<Felt, ExecutableClass>,
): Changes {
  const { contracts, fields, keys, olds } = journal;
  const originals = new Map<ContractCache, Originals>();
  let classes: ClassOriginals | undefined;
  let own: Originals | undefined;
  for (let i = start; i < fields.length; i++) {
    const field = fields[i] as JournalField;
    const key = keys[i] as Felt;
    const old = olds[i] as Felt;
    if (field === JournalField.Declared || field === JournalField.CompiledClassHash) {
      classes ??= { compiled: new Map(), declared: new Set() };
      if (field === JournalField.Declared) classes.declared.add(key);
      else if (!classes.compiled.has(key)) classes.compiled.set(key, old);
      continue;
    }
    const contract = contracts[i] as ContractCache;
    if (own?.contract !== contract) own = originalsOf(originals, contract);
    if (field === JournalField.Nonce) own.nonce ??= old;
    else if (field === JournalField.ClassHash) own.classHash ??= old;
    else {
      own.storage ??= new Map();
      if (!own.storage.has(key)) own.storage.set(key, old);
    }
  }
  const changes = contractChanges(originals.values());
  if (classes === undefined) return changes;
  const diff = { ...changes.diff, ...classChanges(classes, compiledClassHashes, declared) };
  return { diff, allocatedKeys: changes.allocatedKeys };
}

function originalsOf(originals: Map<ContractCache, Originals>, contract: ContractCache): Originals {
  let own = originals.get(contract);
  if (own === undefined) {
    own = { contract, storage: undefined, nonce: undefined, classHash: undefined };
    originals.set(contract, own);
  }
  return own;
}

function contractChanges(all: Iterable<Originals>): Changes {
  const storageDiffs = new Map<Felt, ReadonlyMap<Felt, Felt>>();
  const nonces = new Map<Felt, Felt>();
  let deployedContracts: Map<Felt, Felt> | undefined;
  let replacedClasses: Map<Felt, Felt> | undefined;
  let allocatedKeys = 0;
  for (const { contract, storage, nonce, classHash } of all) {
    const { address } = contract;
    if (storage !== undefined) {
      for (const [key, old] of storage) {
        const now = contract.storage.get(key) as Felt;
        if (now === old) storage.delete(key);
        else {
          storage.set(key, now);
          if (old === 0n) allocatedKeys++;
        }
      }
      if (storage.size > 0) storageDiffs.set(address, storage);
    }
    if (nonce !== undefined && contract.nonce !== nonce) {
      nonces.set(address, contract.nonce as Felt);
    }
    if (classHash !== undefined && contract.classHash !== classHash) {
      const target =
        classHash === 0n ? (deployedContracts ??= new Map()) : (replacedClasses ??= new Map());
      target.set(address, contract.classHash as Felt);
    }
  }
  const diff: StateDiff = {
    storageDiffs,
    nonces,
    deployedContracts: deployedContracts ?? EMPTY_STATE_DIFF.deployedContracts,
    replacedClasses: replacedClasses ?? EMPTY_STATE_DIFF.replacedClasses,
    declaredClasses: EMPTY_STATE_DIFF.declaredClasses,
    deprecatedDeclaredClasses: EMPTY_STATE_DIFF.deprecatedDeclaredClasses,
    migratedCompiledClasses: EMPTY_STATE_DIFF.migratedCompiledClasses,
  };
  return { diff, allocatedKeys };
}

function classChanges(
  originals: ClassOriginals,
  compiledClassHashes: ContractCache,
  declared: ReadonlyMap<Felt, ExecutableClass>,
): Pick<StateDiff, "declaredClasses" | "deprecatedDeclaredClasses" | "migratedCompiledClasses"> {
  const declaredClasses = new Map<Felt, Felt>();
  const migratedCompiledClasses = new Map<Felt, Felt>();
  for (const [classHash, old] of originals.compiled) {
    const now = compiledClassHashes.storage.get(classHash) as Felt;
    if (now === old) continue;
    const isDeclared = originals.declared.has(classHash);
    (isDeclared ? declaredClasses : migratedCompiledClasses).set(classHash, now);
  }
  const deprecatedDeclaredClasses = new Set<Felt>();
  for (const classHash of originals.declared) {
    if (!declaredClasses.has(classHash) && declared.has(classHash)) {
      deprecatedDeclaredClasses.add(classHash);
    }
  }
  return { declaredClasses, deprecatedDeclaredClasses, migratedCompiledClasses };
}

/** Addresses of all contracts that a diff changes. */
export function modifiedContracts(diff: StateDiff): Set<Felt> {
  const result = new Set<Felt>(diff.storageDiffs.keys());
  for (const map of [diff.nonces, diff.deployedContracts, diff.replacedClasses]) {
    for (const address of map.keys()) result.add(address);
  }
  return result;
}

/** Number of storage cells in a diff. */
export function storageUpdateCount(diff: StateDiff): number {
  let count = 0;
  for (const cells of diff.storageDiffs.values()) count += cells.size;
  return count;
}
