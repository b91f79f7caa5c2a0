import type { ExecutableClass, StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { type ContractCache, type Journal, JournalField } from "./contract-cache.ts";

/** A diff with what only its old values tell. */
export interface Changes {
  readonly diff: StateDiff;
  /** Storage cells that were 0 and are not any more. */
  readonly allocatedKeys: number;
}

/** Old values of one contract at the start of the interval. */
interface Originals {
  readonly contract: ContractCache;
  storage: Map<Felt, Felt> | undefined;
  nonce: Felt | undefined;
  classHash: Felt | undefined;
}

/**
 * What differs between the state at `start` of the journal and now. The first old value that the
 * journal has for a cell is the cell's value at the start.
 */
export function collectChanges(
  journal: Journal,
  start: number,
  declared: ReadonlyMap<Felt, ExecutableClass>,
): Changes {
  const storageDiffs = new Map<Felt, ReadonlyMap<Felt, Felt>>();
  const nonces = new Map<Felt, Felt>();
  const deployedContracts = new Map<Felt, Felt>();
  const replacedClasses = new Map<Felt, Felt>();
  const declaredClasses = new Map<Felt, Felt>();
  const migratedCompiledClasses = new Map<Felt, Felt>();
  let allocatedKeys = 0;

  const newlyDeclared = new Set<Felt>();
  for (let i = start; i < journal.fields.length; i++) {
    if (journal.fields[i] === JournalField.Declared) newlyDeclared.add(journal.keys[i] as Felt);
  }
  for (const { contract, storage, nonce, classHash } of originalsSince(journal, start).values()) {
    if (storage !== undefined) {
      let cells: Map<Felt, Felt> | undefined;
      for (const [key, old] of storage) {
        const now = contract.storage.get(key) as Felt;
        if (now === old) continue;
        (cells ??= new Map()).set(key, now);
        if (old === 0n) allocatedKeys++;
      }
      if (cells !== undefined) storageDiffs.set(contract.address, cells);
    }
    if (nonce !== undefined && contract.nonce !== nonce) {
      nonces.set(contract.address, contract.nonce as Felt);
    }
    if (classHash !== undefined && contract.classHash !== classHash) {
      const target = classHash === 0n ? deployedContracts : replacedClasses;
      target.set(contract.address, contract.classHash as Felt);
    }
  }
  for (const [classHash, [table, old]] of compiledOriginalsSince(journal, start)) {
    const now = table.storage.get(classHash) as Felt;
    if (now === old) continue;
    const target = newlyDeclared.has(classHash) ? declaredClasses : migratedCompiledClasses;
    target.set(classHash, now);
  }
  const deprecatedDeclaredClasses = new Set<Felt>();
  for (const classHash of newlyDeclared) {
    if (!declaredClasses.has(classHash) && declared.has(classHash)) {
      deprecatedDeclaredClasses.add(classHash);
    }
  }
  return {
    diff: {
      storageDiffs,
      nonces,
      deployedContracts,
      replacedClasses,
      declaredClasses,
      deprecatedDeclaredClasses,
      migratedCompiledClasses,
    },
    allocatedKeys,
  };
}

function originalsSince(journal: Journal, start: number): Map<ContractCache, Originals> {
  const { contracts, fields, keys, olds } = journal;
  const result = new Map<ContractCache, Originals>();
  for (let i = start; i < fields.length; i++) {
    const field = fields[i];
    if (field === JournalField.Declared || field === JournalField.CompiledClassHash) continue;
    const contract = contracts[i] as ContractCache;
    const old = olds[i] as Felt;
    let originals = result.get(contract);
    if (originals === undefined) {
      originals = { contract, storage: undefined, nonce: undefined, classHash: undefined };
      result.set(contract, originals);
    }
    if (field === JournalField.Nonce) originals.nonce ??= old;
    else if (field === JournalField.ClassHash) originals.classHash ??= old;
    else {
      const key = keys[i] as Felt;
      originals.storage ??= new Map();
      if (!originals.storage.has(key)) originals.storage.set(key, old);
    }
  }
  return result;
}

function compiledOriginalsSince(
  journal: Journal,
  start: number,
): Map<Felt, readonly [ContractCache, Felt]> {
  const result = new Map<Felt, readonly [ContractCache, Felt]>();
  for (let i = start; i < journal.fields.length; i++) {
    if (journal.fields[i] !== JournalField.CompiledClassHash) continue;
    const key = journal.keys[i] as Felt;
    if (result.has(key)) continue;
    result.set(key, [journal.contracts[i] as ContractCache, journal.olds[i] as Felt]);
  }
  return result;
}

/** Addresses of all contracts that a diff touches. */
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
