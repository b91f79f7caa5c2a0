import type { Kysely } from "kysely";
import type { ExecutableClass } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { StateReader, WrittenState } from "#engine/state/index.ts";
import { blobFromUint, uintFromBlob } from "../blob.ts";
import { GenerationCache } from "../cache.ts";
import { fixed, ONE } from "../chain-statements.ts";
import type { ClassReader } from "../class/reader.ts";
import { prunedError } from "../retention.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { Slots, StatementFactory } from "../statement.ts";

const CACHED_CONTRACTS = 65_536;

type SlotAt = [contract: number, key: Uint8Array, block: number];

/** Selects the newest version of a storage variable at or below a block. */
function newestVersion(db: Kysely<ChainSchema>, [contract, key, block]: Slots<SlotAt>) {
  return db
    .selectFrom("contract_storage")
    .where("contract", "=", fixed(contract))
    .where("key", "=", fixed(key))
    .where("block", "<=", fixed(block))
    .orderBy("block", "desc")
    .limit(ONE);
}

/**
 * Reads versioned state rows: the value at a block is in the last row at or below it.
 *
 * Methods and states throw {@link StorageError} STORAGE_PRUNED when the state of a block is pruned and no row
 * answers the read.
 */
export class StateTables {
  readonly #classes: ClassReader;
  readonly #oldestBlock: () => number;
  readonly #contractIds = new GenerationCache<Felt, number>(CACHED_CONTRACTS);
  readonly #selectContract;
  readonly #selectStorage;
  readonly #selectStorageBlock;
  readonly #selectNonce;
  readonly #selectClassHash;
  readonly #selectCompiledClassHash;

  /** @param oldestBlock - returns the oldest block whose state is kept */
  constructor(
    statements: StatementFactory<ChainSchema>,
    classes: ClassReader,
    oldestBlock: () => number,
  ) {
    this.#classes = classes;
    this.#oldestBlock = oldestBlock;
    this.#selectContract = statements.of<[address: Uint8Array]>()((db, [address]) =>
      db.selectFrom("contract").select("id").where("address", "=", address),
    );
    this.#selectStorage = statements.of<SlotAt>()((db, slot) =>
      newestVersion(db, slot).select("value"),
    );
    this.#selectStorageBlock = statements.of<SlotAt>()((db, slot) =>
      newestVersion(db, slot).select("block"),
    );
    this.#selectNonce = statements.of<[contract: number, block: number]>()(
      (db, [contract, block]) =>
        db
          .selectFrom("contract_nonce")
          .select("nonce")
          .where("contract", "=", fixed(contract))
          .where("block", "<=", fixed(block))
          .orderBy("block", "desc")
          .limit(ONE),
    );
    this.#selectClassHash = statements.of<[contract: number, block: number]>()(
      (db, [contract, block]) =>
        db
          .selectFrom("contract_class")
          .select("class_hash")
          .where("contract", "=", fixed(contract))
          .where("block", "<=", fixed(block))
          .orderBy("block", "desc")
          .limit(ONE),
    );
    this.#selectCompiledClassHash = statements.of<[classHash: Uint8Array, block: number]>()(
      (db, [classHash, block]) =>
        db
          .selectFrom("compiled_class_hash")
          .select("compiled_class_hash")
          .where("class_hash", "=", fixed(classHash))
          .where("block", "<=", fixed(block))
          .orderBy("block", "desc")
          .limit(ONE),
    );
  }

  /** Returns the id of a contract. Ids never change, so cached ones never expire. */
  contractId(address: Felt): number | undefined {
    const cached = this.#contractIds.get(address);
    if (cached !== undefined) return cached;
    const row = this.#selectContract.get(blobFromUint(address));
    if (row === undefined) return undefined;
    const id = Number(row.id);
    this.#contractIds.set(address, id);
    return id;
  }

  /** Clears cached ids, which is needed after the rollback of a transaction that created some. */
  forgetContractIds(): void {
    this.#contractIds.clear();
  }

  at(blockNumber: number): StateReader {
    return {
      storageAt: (address, key) => this.#storageAt(address, key, blockNumber) ?? 0n,
      nonceAt: (address) => this.#nonceAt(address, blockNumber) ?? 0n,
      classHashAt: (address) => this.#classHashAt(address, blockNumber) ?? 0n,
      compiledClassHashOf: (classHash) => this.#compiledClassHashOf(classHash, blockNumber) ?? 0n,
      executableClass: (classHash) => this.#executableClass(classHash, blockNumber),
    };
  }

  /** Returns the values that blocks up to `blockNumber` wrote, including zeros. */
  writtenAt(blockNumber: number): WrittenState {
    return {
      storageAt: (address, key) => this.#storageAt(address, key, blockNumber),
      nonceAt: (address) => this.#nonceAt(address, blockNumber),
      classHashAt: (address) => this.#classHashAt(address, blockNumber),
      compiledClassHashOf: (classHash) => this.#compiledClassHashOf(classHash, blockNumber),
      executableClass: (classHash) => this.#executableClass(classHash, blockNumber),
    };
  }

  /** Returns the last block up to `blockNumber` that wrote a storage variable. */
  lastStorageUpdate(address: Felt, key: Felt, blockNumber: number): number | undefined {
    const id = this.contractId(address);
    if (id === undefined) return undefined;
    const row = this.#selectStorageBlock.get(id, blobFromUint(key), blockNumber);
    if (row !== undefined) return Number(row.block);
    this.#requireKept(blockNumber);
    return undefined;
  }

  #storageAt(address: Felt, key: Felt, blockNumber: number): Felt | undefined {
    const id = this.contractId(address);
    if (id === undefined) return undefined;
    const row = this.#selectStorage.get(id, blobFromUint(key), blockNumber);
    return row === undefined ? this.#unwrittenAt(blockNumber) : uintFromBlob(row.value);
  }

  #nonceAt(address: Felt, blockNumber: number): Felt | undefined {
    const id = this.contractId(address);
    if (id === undefined) return undefined;
    const row = this.#selectNonce.get(id, blockNumber);
    return row === undefined ? this.#unwrittenAt(blockNumber) : uintFromBlob(row.nonce);
  }

  #classHashAt(address: Felt, blockNumber: number): Felt | undefined {
    const id = this.contractId(address);
    if (id === undefined) return undefined;
    const row = this.#selectClassHash.get(id, blockNumber);
    return row === undefined ? this.#unwrittenAt(blockNumber) : uintFromBlob(row.class_hash);
  }

  #compiledClassHashOf(classHash: Felt, blockNumber: number): Felt | undefined {
    const row = this.#selectCompiledClassHash.get(blobFromUint(classHash), blockNumber);
    return row === undefined
      ? this.#unwrittenAt(blockNumber)
      : uintFromBlob(row.compiled_class_hash);
  }

  #executableClass(classHash: Felt, blockNumber: number): ExecutableClass | undefined {
    return this.#classes.executableClass(classHash, blockNumber);
  }

  #unwrittenAt(blockNumber: number): undefined {
    this.#requireKept(blockNumber);
    return undefined;
  }

  /**
   * Checks that a block's state is kept. Pruning deletes all versions up to the one of the oldest kept block,
   * so a missing row may mean pruned data; pruning may also run during a request.
   */
  #requireKept(blockNumber: number): void {
    if (blockNumber < 0) return;
    const oldest = this.#oldestBlock();
    if (blockNumber < oldest) throw prunedError("state", blockNumber, oldest);
  }
}
