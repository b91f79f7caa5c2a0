import { invariant, StorageError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { blobFromUint, uintFromBlob } from "../blob.ts";
import { noRoomSentence } from "../file-failure.ts";
import { blockStatements } from "./block-statements.ts";
import { FeltIds } from "./felt-ids.ts";
import { decodeIds, encodeIds } from "./ids.ts";
import { type OpenExplorerFile, openExplorerFile } from "./open.ts";
import type { IndexedBlock, IndexPosition } from "./types.ts";
import { writeStatements } from "./write-statements.ts";

/** The only writer of the explorer's index. Every method throws {@link StorageError} when the file fails. */
export interface ExplorerStore {
  /** Oldest indexed block; `undefined` while none is. */
  oldest(): IndexPosition | undefined;
  /** Newest indexed block; `undefined` while none is. */
  newest(): IndexPosition | undefined;
  /** Hash of an indexed block; `undefined` if it is not indexed. */
  hashOf(number: number): Felt | undefined;
  /**
   * Adds blocks in one transaction. The first of all may have any number; each other one follows the newest.
   *
   * @throws {StorageError} STORAGE_FAILED; no block is then added
   */
  append(blocks: readonly IndexedBlock[]): void;
  /**
   * Removes all blocks above `number` in one transaction. Afterwards the file has the same rows as if they had
   * never been added.
   *
   * @throws {StorageError} STORAGE_FAILED; no block is then removed
   */
  unwind(number: number): void;
  close(): void;
}

/**
 * Opens or creates the explorer's index.
 *
 * @throws {StorageError} as `openDatabase`; STORAGE_OLDER_SCHEMA when its tables have other definitions
 */
export async function openExplorerStore(path: string, chainId: string): Promise<ExplorerStore> {
  return new SqliteExplorerStore(await openExplorerFile(path, chainId, "writer"));
}

class SqliteExplorerStore implements ExplorerStore {
  readonly #file: OpenExplorerFile;
  readonly #blocks;
  readonly #write;
  readonly #felts: FeltIds;

  constructor(file: OpenExplorerFile) {
    this.#file = file;
    this.#blocks = blockStatements(file.statements);
    this.#write = writeStatements(file.statements);
    this.#felts = new FeltIds(this.#write, this.#lastFelt());
  }

  oldest(): IndexPosition | undefined {
    return positionOf(guarded(() => this.#blocks.oldest.get()));
  }

  newest(): IndexPosition | undefined {
    return positionOf(guarded(() => this.#blocks.newest.get()));
  }

  hashOf(number: number): Felt | undefined {
    return positionOf(guarded(() => this.#blocks.block.get(number)))?.hash;
  }

  append(blocks: readonly IndexedBlock[]): void {
    this.#transact(() => {
      let next = this.newest();
      for (const block of blocks) {
        const follows = next === undefined || block.number === next.number + 1;
        invariant(follows, "an indexed block follows the newest one");
        this.#add(block);
        next = block;
      }
    });
  }

  unwind(number: number): void {
    this.#transact(() => {
      const write = this.#write;
      const ids = new Set<number>();
      for (let each = (this.newest()?.number ?? -1) as number; each > number; each--) {
        const row = write.idsOf.get(each);
        if (row !== undefined) for (const id of decodeIds(row.ids)) ids.add(id);
      }
      for (const id of ids) {
        write.removeSent.run(id, number);
        write.removeTouched.run(id, number);
        write.removeTransfers.run(id, number);
        write.removeContracts.run(id, number);
      }
      write.removeDeclared.run(number);
      write.removeBlocks.run(number);
      const last = this.#lastFelt();
      write.removeFelts.run(last);
      this.#felts.reset(last);
    });
  }

  close(): void {
    this.#file.connection.close(true);
  }

  #add(block: IndexedBlock): void {
    const { number } = block;
    const write = this.#write;
    const felts = this.#felts;
    const ids = new Set<number>();
    const noted = (felt: Felt): number => {
      const id = felts.of(felt);
      ids.add(id);
      return id;
    };
    for (const { sender, index } of block.sent) write.addSent.run(noted(sender), number, index);
    for (const { contract, index } of block.touched) {
      write.addTouched.run(noted(contract), number, index);
    }
    for (const { holder, token, index, event } of block.transfers) {
      write.addTransfer.run(noted(holder), number, index, event, felts.of(token));
    }
    for (const { classHash, contract, how } of block.contracts) {
      const replaced = how === "replaced" ? 1 : 0;
      write.addContract.run(noted(classHash), number, felts.of(contract), replaced);
    }
    for (const { classHash, index } of block.declared) {
      write.addDeclared.run(number, index === null ? 0 : index + 1, felts.of(classHash));
    }
    const { timestamp, transactionCount, l2Gas, hash } = block;
    write.addBlock.run(
      number,
      timestamp,
      transactionCount,
      l2Gas,
      felts.last,
      blobFromUint(hash),
      encodeIds(ids),
    );
  }

  #transact(work: () => void): void {
    try {
      guarded(() => this.#file.connection.transaction(work).immediate());
    } catch (error) {
      // Ids that were given in the transaction are not stored.
      this.#felts.reset(this.#lastFelt());
      throw error;
    }
  }

  #lastFelt(): number {
    return Number(guarded(() => this.#blocks.newest.get())?.last_felt ?? 0n);
  }
}

function positionOf(
  row: { readonly number: bigint; readonly hash: Uint8Array } | undefined,
): IndexPosition | undefined {
  return row === undefined
    ? undefined
    : { number: Number(row.number), hash: uintFromBlob(row.hash) };
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof StorageError) throw cause;
    const what = "The explorer's index could not be read or stored.";
    throw new StorageError("STORAGE_FAILED", `${what}${noRoomSentence(cause)}`, { cause });
  }
}
