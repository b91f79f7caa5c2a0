import { AppError, StorageError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { type BlockBundle, type BlockHeader, bundledClassOf } from "#protocol/chain/index.ts";
import { ANCESTOR_HEADERS, areLinked } from "../ancestors.ts";
import type { DatabaseHandle } from "../database.ts";
import { noRoomSentence } from "../file-failure.ts";
import { notEmptyError, setFirstBlock } from "../first-block.ts";
import { rebuildTries } from "../revert/rebuild-tries.ts";
import { StatePages } from "../revert/state-pages.ts";
import { createWriterTables, type WriterTables } from "../writer-tables.ts";
import { SnapshotRows } from "./rows.ts";
import type {
  SnapshotClass,
  SnapshotContract,
  SnapshotEnd,
  SnapshotMessage,
  SnapshotStorage,
  SnapshotWriter,
} from "./types.ts";

/** Small, because tries are written sequentially and earlier nodes are rarely read. */
const TRIE_CACHE_BYTES = 16 * 2 ** 20;

/**
 * Creates the writer of a chain that starts from a snapshot.
 *
 * Every method throws {@link StorageError}: STORAGE_NOT_EMPTY when the database has a block,
 * STORAGE_BAD_SNAPSHOT when rows are inconsistent, STORAGE_FAILED when the database fails. The call then
 * changes nothing.
 *
 * @throws {StorageError} STORAGE_READ_ONLY when the handle is a reader's
 */
export function createSnapshotWriter(handle: DatabaseHandle): SnapshotWriter {
  if (handle.options.mode !== "writer") {
    throw new StorageError("STORAGE_READ_ONLY", "A reader's handle cannot write.");
  }
  return new SqliteSnapshotWriter(handle);
}

class SqliteSnapshotWriter implements SnapshotWriter {
  readonly #handle: DatabaseHandle;
  readonly #tables: WriterTables;
  readonly #rows: SnapshotRows;
  readonly #pages: StatePages;

  constructor(handle: DatabaseHandle) {
    const { statements } = handle;
    this.#handle = handle;
    this.#tables = createWriterTables(handle, TRIE_CACHE_BYTES);
    this.#rows = new SnapshotRows(statements);
    this.#pages = new StatePages(statements);
  }

  addContracts(contracts: readonly SnapshotContract[]): void {
    this.#atomically("store contracts", () => {
      for (const { address, classHash, nonce } of contracts) {
        const id = this.#tables.state.contractId(address);
        if (classHash !== 0n) this.#rows.classHash(id, classHash);
        if (nonce !== 0n) this.#rows.nonce(id, nonce);
      }
    });
  }

  addStorage(storage: readonly SnapshotStorage[]): void {
    this.#atomically("store values", () => {
      for (const { contractAddress, key, value, updatedAtBlock } of storage) {
        const id = this.#tables.stateTables.contractId(contractAddress);
        if (id === undefined) {
          throw badSnapshot(`there is storage of ${hexFromFelt(contractAddress)}, but no contract`);
        }
        this.#rows.storage(id, key, updatedAtBlock, value);
      }
    });
  }

  addClasses(classes: readonly SnapshotClass[]): void {
    this.#atomically("store classes", () => {
      for (const { compiledClassHash, declaredAtBlock, ...encoded } of classes) {
        this.#tables.classes.insert(bundledClassOf(encoded), declaredAtBlock);
        if (compiledClassHash === null) continue;
        this.#rows.compiledClassHash(encoded.classHash, compiledClassHash);
      }
    });
  }

  addMessages(messages: readonly SnapshotMessage[]): void {
    this.#atomically("store messages from L1", () => {
      for (const message of messages) this.#rows.message(message);
    });
  }

  finish(end: SnapshotEnd, onProgress: (done: number, total: number) => void): void {
    const { bundle, headers } = end;
    const { header } = bundle.block;
    requireAncestors(header, headers);
    this.#atomically(`begin a chain with block ${header.number}`, () => {
      this.#storeBlockState(bundle);
      const lastNodeId = rebuildTries(this.#tables, this.#pages, header, 1, ({ done, total }) =>
        onProgress(done, total),
      );
      const trie = { added: [], removed: [], roots: [], lastNodeId };
      this.#tables.blocks.insert({ ...bundle, trie });
      this.#tables.transactions.insert(bundle.block, header.number);
      this.#setMarks(header.number, headers);
    });
  }

  /** Stores the block's own writes under its number, as in every chain; all other rows are older. */
  #storeBlockState({ block, classes, inputs }: BlockBundle): void {
    const { state, messages } = this.#tables;
    const { number } = block.header;
    state.revert(block.stateDiff, -1);
    this.#rows.deleteMessagesOf(number);
    const late = this.#rows.lateBlock(number);
    if (late !== undefined) {
      throw badSnapshot(`a row refers to block ${late}, which is not before block ${number}`);
    }
    this.#requireClasses(number, new Set(classes.map(({ classHash }) => classHash)));
    state.apply(block.stateDiff, number);
    messages.insert(inputs, number);
    const missing = this.#rows.missingClass();
    if (missing !== undefined) {
      throw badSnapshot(`a contract has the class ${hexFromFelt(missing)}, which is not stored`);
    }
  }

  #requireClasses(blockNumber: number, declared: ReadonlySet<Felt>): void {
    const stored = this.#rows.classesFrom(blockNumber);
    for (const [classHash, block] of stored) {
      if (block === blockNumber && declared.has(classHash)) continue;
      throw badSnapshot(`block ${block} does not declare the class ${hexFromFelt(classHash)}`);
    }
    for (const classHash of declared) {
      if (stored.has(classHash)) continue;
      throw badSnapshot(
        `block ${blockNumber} declares the class ${hexFromFelt(classHash)}, but no row says so`,
      );
    }
  }

  #setMarks(blockNumber: number, headers: readonly BlockHeader[]): void {
    if (blockNumber === 0) return;
    const { meta } = this.#tables;
    setFirstBlock(meta, blockNumber, { ancestors: headers, oldestState: blockNumber });
  }

  /** Runs `work` in one transaction, which is rolled back when it throws. */
  #atomically(what: string, work: () => void): void {
    try {
      this.#handle.connection
        .transaction(() => {
          this.#requireNoBlock();
          work();
        })
        .immediate();
    } catch (cause) {
      this.#tables.stateTables.forgetContractIds();
      this.#tables.tries.forget();
      if (cause instanceof AppError) throw cause;
      const message = `The database could not ${what}.${noRoomSentence(cause)}`;
      throw new StorageError("STORAGE_FAILED", message, { cause });
    }
  }

  #requireNoBlock(): void {
    const newest = this.#tables.blockReader.latestNumber();
    if (newest !== undefined) throw notEmptyError(newest);
  }
}

/** Requires the headers of the preceding blocks, as many as possible, linked by their hashes. */
function requireAncestors(header: BlockHeader, ancestors: readonly BlockHeader[]): void {
  const expected = Math.min(ANCESTOR_HEADERS, header.number);
  if (areLinked([...ancestors, header]) && ancestors.length === expected) return;
  throw badSnapshot(`its headers are not those of the ${expected} blocks before ${header.number}`);
}

function badSnapshot(what: string): StorageError {
  return new StorageError("STORAGE_BAD_SNAPSHOT", `The snapshot is inconsistent: ${what}.`);
}
