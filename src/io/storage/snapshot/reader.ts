import { StorageError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { ANCESTOR_HEADERS } from "../ancestors.ts";
import { createChainReader } from "../chain-reader.ts";
import type { DatabaseHandle } from "../database.ts";
import { prunedError } from "../retention.ts";
import type { StoredChainReader } from "../types.ts";
import { type PagedContract, SnapshotPages } from "./pages.ts";
import type {
  SnapshotClass,
  SnapshotContract,
  SnapshotMessage,
  SnapshotReader,
  SnapshotStorage,
} from "./types.ts";

/** Number of contracts read at a time: many have no storage. */
const CONTRACTS_PER_PAGE = 256;

/**
 * Opens a reader of the chain's state after a block. The handle is used exclusively: it stays in one read
 * transaction until {@link SnapshotReader.close}, which leaves the handle open.
 *
 * @throws {StorageError} STORAGE_UNKNOWN_BLOCK when the chain has no such block, STORAGE_PRUNED when its
 *   state is no longer kept
 */
export function openSnapshotReader(handle: DatabaseHandle, blockNumber: number): SnapshotReader {
  const chain = createChainReader(handle);
  handle.connection.run("begin");
  try {
    if (chain.header(blockNumber) === undefined) {
      throw new StorageError(
        "STORAGE_UNKNOWN_BLOCK",
        `The chain has no block ${blockNumber}: it goes from ${chain.oldestBlock()} to ${chain.latestNumber() ?? "none"}.`,
        { meta: { blockNumber } },
      );
    }
    const oldest = chain.oldestStateBlock();
    if (blockNumber < oldest) throw prunedError("state", blockNumber, oldest);
    return new SqliteSnapshotReader(handle, chain, blockNumber);
  } catch (error) {
    handle.connection.run("rollback");
    throw error;
  }
}

class SqliteSnapshotReader implements SnapshotReader {
  readonly blockNumber: number;
  readonly #handle: DatabaseHandle;
  readonly #chain: StoredChainReader;
  readonly #state: StateReader;
  readonly #pages: SnapshotPages;

  constructor(handle: DatabaseHandle, chain: StoredChainReader, blockNumber: number) {
    this.blockNumber = blockNumber;
    this.#handle = handle;
    this.#chain = chain;
    this.#state = chain.stateAt(blockNumber);
    this.#pages = new SnapshotPages(handle.statements, blockNumber);
  }

  contracts(after: SnapshotContract | undefined, max: number): SnapshotContract[] {
    const found: SnapshotContract[] = [];
    for (const contract of this.#contractsFrom(after?.address ?? 0n)) {
      if (found.length >= max) break;
      const { address } = contract;
      if (address === after?.address) continue;
      const classHash = this.#state.classHashAt(address);
      const nonce = this.#state.nonceAt(address);
      const isSet = classHash !== 0n || nonce !== 0n || this.#hasStorage(contract);
      if (isSet) found.push({ address, classHash, nonce });
    }
    return found;
  }

  storage(after: SnapshotStorage | undefined, max: number): SnapshotStorage[] {
    const found: SnapshotStorage[] = [];
    for (const contract of this.#contractsFrom(after?.contractAddress ?? 0n)) {
      if (found.length >= max) break;
      const last = contract.address === after?.contractAddress ? after : undefined;
      // One more than needed: the first one repeats the last of the previous page.
      const count = max - found.length + (last === undefined ? 0 : 1);
      const slots = this.#pages.slots(contract, last?.key ?? 0n, count);
      for (const slot of slots) if (slot.key !== last?.key) found.push(slot);
    }
    return found;
  }

  classes(after: SnapshotClass | undefined, max: number): SnapshotClass[] {
    const count = after === undefined ? max : max + 1;
    return this.#pages
      .classes(after?.classHash ?? 0n, count)
      .filter(({ classHash }) => classHash !== after?.classHash)
      .map((declared) => {
        const compiled = this.#state.compiledClassHashOf(declared.classHash);
        return { ...declared, compiledClassHash: compiled === 0n ? null : compiled };
      });
  }

  messages(after: SnapshotMessage | undefined, max: number): SnapshotMessage[] {
    return this.#pages.messages(after, max);
  }

  headers(): BlockHeader[] {
    const headers: BlockHeader[] = [];
    for (let back = ANCESTOR_HEADERS; back >= 0; back--) {
      const header = this.#chain.ancestorHeader(this.blockNumber - back);
      if (header !== undefined) headers.push(header);
    }
    return headers;
  }

  bundleBytes(blockNumber: number): Uint8Array | undefined {
    return blockNumber < this.blockNumber ? undefined : this.#chain.bundleBytes(blockNumber);
  }

  close(): void {
    this.#handle.connection.run("rollback");
  }

  *#contractsFrom(from: Felt): Generator<PagedContract> {
    for (let next = from, isFirst = true; ; isFirst = false) {
      const page = this.#pages.contracts(next, CONTRACTS_PER_PAGE);
      yield* isFirst ? page : page.slice(1);
      const last = page.at(-1);
      if (last === undefined || page.length < CONTRACTS_PER_PAGE) return;
      next = last.address;
    }
  }

  #hasStorage(contract: PagedContract): boolean {
    return this.#pages.slots(contract, 0n, 1).length > 0;
  }
}
