import type { ExecutableClass, StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { type Changes, collectChanges } from "./changes.ts";
import { ClassCache } from "./class-cache.ts";
import { ContractCache, type Journal, JournalField } from "./contract-cache.ts";
import type { EnteredCall, StateReader } from "./reader.ts";

/** Maximum contracts and cells cached across transactions without having been written. */
const MAX_READ_ENTRIES = 2 ** 19;

/** Position in the journal that {@link CachedState.revertTo} can return to. */
export type Checkpoint = number;

/**
 * Writable state over a reader. Reads are cached and writes are journaled, so that any nesting of calls and
 * transactions can be undone in time proportional to its writes.
 *
 * Values are kept per contract. The journal holds old values in write order; a checkpoint is a journal
 * length.
 */
export class CachedState implements StateReader {
  readonly #reader: StateReader;
  readonly #contracts = new Map<Felt, ContractCache>();
  readonly #classes = new ClassCache();
  readonly #compiledClassHashes = new ContractCache(0n);
  readonly #journal: Journal = { contracts: [], fields: [], keys: [], olds: [] };
  readonly #declared = new Map<Felt, ExecutableClass>();
  readonly #pinned = new Set<Felt>();
  #entries = 0;

  constructor(reader: StateReader) {
    this.#reader = reader;
  }

  entering(call: EnteredCall): void {
    this.#reader.entering?.(call);
  }

  storageAt(contractAddress: Felt, key: Felt): Felt {
    const contract = this.#contract(contractAddress);
    const known = contract.storage.get(key);
    if (known !== undefined) return known;
    const value = this.#reader.storageAt(contractAddress, key);
    contract.storage.set(key, value);
    this.#entries++;
    return value;
  }

  nonceAt(contractAddress: Felt): Felt {
    const contract = this.#contract(contractAddress);
    return (contract.nonce ??= this.#reader.nonceAt(contractAddress));
  }

  classHashAt(contractAddress: Felt): Felt {
    const contract = this.#contract(contractAddress);
    return (contract.classHash ??= this.#reader.classHashAt(contractAddress));
  }

  compiledClassHashOf(classHash: Felt): Felt {
    const known = this.#compiledClassHashes.storage.get(classHash);
    if (known !== undefined) return known;
    const value = this.#reader.compiledClassHashOf(classHash);
    this.#compiledClassHashes.storage.set(classHash, value);
    return value;
  }

  executableClass(classHash: Felt): ExecutableClass | undefined {
    const declared = this.#declared.get(classHash);
    if (declared !== undefined) return declared;
    const known = this.#classes.get(classHash);
    if (known !== undefined) return known;
    const found = this.#reader.executableClass(classHash);
    if (found !== undefined) this.#classes.keep(classHash, found);
    return found;
  }

  setStorage(contractAddress: Felt, key: Felt, value: Felt): void {
    const contract = this.#contract(contractAddress);
    const old = this.storageAt(contractAddress, key);
    this.#record(contract, JournalField.Storage, key, old);
    contract.storage.set(key, value);
  }

  setNonce(contractAddress: Felt, nonce: Felt): void {
    const old = this.nonceAt(contractAddress);
    const contract = this.#contract(contractAddress);
    this.#record(contract, JournalField.Nonce, 0n, old);
    contract.nonce = nonce;
  }

  setClassHash(contractAddress: Felt, classHash: Felt): void {
    const old = this.classHashAt(contractAddress);
    const contract = this.#contract(contractAddress);
    this.#record(contract, JournalField.ClassHash, 0n, old);
    contract.classHash = classHash;
  }

  /** Sets the compiled class hash of a declared or migrated class. */
  setCompiledClassHash(classHash: Felt, compiledClassHash: Felt): void {
    const old = this.compiledClassHashOf(classHash);
    const table = this.#compiledClassHashes;
    this.#record(table, JournalField.CompiledClassHash, classHash, old);
    table.storage.set(classHash, compiledClassHash);
  }

  /** Makes a class available; a declaration is this plus {@link setCompiledClassHash}. */
  declareClass(executable: ExecutableClass): void {
    this.#record(this.#compiledClassHashes, JournalField.Declared, executable.classHash, 0n);
    this.#declared.set(executable.classHash, executable);
  }

  /** Current journal position, for {@link revertTo} or {@link diffSince}. */
  checkpoint(): Checkpoint {
    return this.#journal.fields.length;
  }

  /** Reverts every write made after `checkpoint`. */
  revertTo(checkpoint: Checkpoint): void {
    const { contracts, fields, keys, olds } = this.#journal;
    for (let i = fields.length - 1; i >= checkpoint; i--) {
      const contract = contracts[i] as ContractCache;
      const key = keys[i] as Felt;
      const old = olds[i] as Felt;
      switch (fields[i]) {
        case JournalField.Storage:
        case JournalField.CompiledClassHash:
          contract.storage.set(key, old);
          break;
        case JournalField.Nonce:
          contract.nonce = old;
          break;
        case JournalField.ClassHash:
          contract.classHash = old;
          break;
        default:
          this.#declared.delete(key);
      }
    }
    contracts.length = fields.length = keys.length = olds.length = checkpoint;
  }

  /**
   * Difference between the current state and the state at `checkpoint`; omits writes that were undone or
   * changed nothing.
   */
  diffSince(checkpoint: Checkpoint): StateDiff {
    return this.changesSince(checkpoint).diff;
  }

  /** Like {@link diffSince}, plus the facts that need the old values. */
  changesSince(checkpoint: Checkpoint): Changes {
    return collectChanges(this.#journal, checkpoint, this.#compiledClassHashes, this.#declared);
  }

  /** Number of cached contracts and cells. */
  size(): number {
    let cells = this.#contracts.size;
    for (const { cellCount } of this.#contracts.values()) cells += cellCount;
    return cells;
  }

  /** Exempts the values of a contract from {@link trim}. */
  pin(contractAddress: Felt): void {
    this.#pinned.add(contractAddress);
  }

  /**
   * Evicts values that were read but not written once the cache exceeds `maxEntries`. Rejected transactions
   * leave no other trace, and a block can contain any number of them.
   */
  trim(maxEntries: number = MAX_READ_ENTRIES): void {
    if (this.#entries <= maxEntries) return;
    const written = new Map<ContractCache, Set<Felt>>();
    const { contracts, fields, keys } = this.#journal;
    for (const [i, contract] of contracts.entries()) {
      let own = written.get(contract);
      if (own === undefined) written.set(contract, (own = new Set()));
      if (fields[i] === JournalField.Storage) own.add(keys[i] as Felt);
    }
    for (const [address, contract] of this.#contracts) {
      if (this.#pinned.has(address)) continue;
      const own = written.get(contract);
      if (own === undefined) this.#contracts.delete(address);
      else
        for (const key of contract.storage.keys()) if (!own.has(key)) contract.storage.delete(key);
    }
    this.#entries = 0;
  }

  #contract(address: Felt): ContractCache {
    let contract = this.#contracts.get(address);
    if (contract === undefined) {
      contract = new ContractCache(address);
      this.#entries++;
      this.#contracts.set(address, contract);
    }
    return contract;
  }

  #record(contract: ContractCache, field: JournalField, key: Felt, old: Felt): void {
    const journal = this.#journal;
    journal.contracts.push(contract);
    journal.fields.push(field);
    journal.keys.push(key);
    journal.olds.push(old);
  }
}
