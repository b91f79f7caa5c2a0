import { AppError, InvariantError, StorageError } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { DEFAULT_TRIE_CACHE_MIB, MIN_KEPT_STATES } from "#protocol/config/index.ts";
import type { TrieName, TrieStore } from "#protocol/trie/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import { ANCESTOR_HEADERS, areLinked, unpackHeaders } from "./ancestors.ts";
import type { DatabaseHandle } from "./database.ts";
import { noRoomSentence } from "./file-failure.ts";
import { notEmptyError, setFirstBlock } from "./first-block.ts";
import { ANCESTOR_HEADERS_KEY, META, nodeKey } from "./meta.ts";
import { portionOf, Pruner, SMALL_PORTION } from "./prune/pruner.ts";
import { StatePruner } from "./prune/state-pruner.ts";
import { TriePruner } from "./prune/trie-pruner.ts";
import { ARCHIVE } from "./retention.ts";
import type {
  BlockCommit,
  ChainRetention,
  ChainWriter,
  ChainWriterOptions,
  RevertProgress,
} from "./types.ts";
import { StatePages } from "./revert/state-pages.ts";
import { Reverter } from "./revert/reverter.ts";
import { TriePageWriter } from "./trie/page-writer.ts";
import { createWriterTables, type WriterTables } from "./writer-tables.ts";

const DEFAULT_TRIE_CACHE_BYTES = DEFAULT_TRIE_CACHE_MIB * 2 ** 20;

/**
 * Creates the writer of a chain database.
 *
 * @param options - how much history to keep; default: everything
 * @throws {StorageError} STORAGE_READ_ONLY when the handle is a reader's
 * @throws {InvariantError} when less would be kept than the chain needs to continue
 */
export function createChainWriter(
  handle: DatabaseHandle,
  options: ChainWriterOptions = {},
): ChainWriter {
  if (handle.options.mode !== "writer") {
    throw new StorageError("STORAGE_READ_ONLY", "A reader's handle cannot write.");
  }
  const retention = { ...ARCHIVE, ...options };
  requireEnough("keepProofs", retention.keepProofs, 1);
  requireEnough("pruneHistory", retention.pruneHistory, MIN_KEPT_STATES);
  return new SqliteChainWriter(
    handle,
    retention,
    options.trieCacheBytes ?? DEFAULT_TRIE_CACHE_BYTES,
  );
}

function requireEnough(name: string, blocks: number | "archive", least: number): void {
  if (blocks === "archive" || (Number.isSafeInteger(blocks) && blocks >= least)) return;
  throw new InvariantError(`${name} is ${blocks}, not a number from ${least}`);
}

class SqliteChainWriter implements ChainWriter {
  readonly trieStore: TrieStore;
  readonly #handle: DatabaseHandle;
  readonly #tables: WriterTables;
  readonly #pruner: Pruner;
  readonly #reverter: Reverter;

  constructor(handle: DatabaseHandle, retention: ChainRetention, trieCacheBytes: number) {
    const { statements } = handle;
    const tables = createWriterTables(handle, trieCacheBytes);
    const { meta, stateDiff, stateTables, tries } = tables;
    this.#handle = handle;
    this.#tables = tables;
    const contractId = stateTables.contractId.bind(stateTables);
    this.#pruner = new Pruner(retention, {
      meta,
      tries: new TriePruner(statements, {
        stateDiff,
        contractId,
        pages: new TriePageWriter(statements, tries),
      }),
      state: new StatePruner(statements, { meta, stateDiff, contractId }),
    });
    this.#reverter = new Reverter(tables, new StatePages(statements));
    this.trieStore = {
      hashes: tries.hashes,
      node: (id) => tries.node(id),
      root: (name: TrieName) => tries.newestRoot(name),
      nextNodeId: () => (tables.blockReader.tip(Number.MAX_SAFE_INTEGER)?.lastNodeId ?? 0) + 1,
    };
  }

  get triePagesRead(): number {
    return this.#tables.tries.pagesRead;
  }

  commitBlock(commit: BlockCommit): void {
    const { block, trie } = commit;
    const { number } = block.header;
    if (block.transactions.length !== block.receipts.length) {
      throw new InvariantError("a block has not one receipt per transaction");
    }
    const { blocks, transactions, state, classes, messages, trieWriter } = this.#tables;
    this.#atomically(`store block ${number}`, () => {
      this.#checkParent(commit);
      blocks.insert(commit);
      transactions.insert(block, number);
      state.apply(block.stateDiff, number);
      for (const declared of commit.classes) classes.insert(declared, number);
      messages.insert(commit.inputs, number);
      trieWriter.apply(trie, number);
      this.#pruner.run(number, portionOf(trie, block.stateDiff));
    });
    trieWriter.remember(trie);
  }

  beginAfter(headers: readonly BlockHeader[]): void {
    const last = headers.at(-1);
    if (last === undefined || headers.length > ANCESTOR_HEADERS + 1 || !areLinked(headers)) {
      throw new InvariantError("the headers before the first block are not linked, or too many");
    }
    const { meta, blockReader } = this.#tables;
    this.#atomically(`begin a chain after block ${last.number}`, () => {
      const newest = blockReader.latestNumber();
      if (newest !== undefined) throw notEmptyError(newest);
      // No block has written anything after the last header.
      setFirstBlock(meta, last.number + 1, { ancestors: headers, oldestState: last.number });
    });
  }

  revertTo(
    blockNumber: number,
    onProgress: (progress: RevertProgress) => void = () => undefined,
  ): void {
    this.#atomically(`revert to block ${blockNumber}`, () => {
      this.#reverter.to(blockNumber, onProgress);
    });
    this.#tables.tries.forget();
  }

  setL1Accepted(blockNumber: number): void {
    const { meta } = this.#tables;
    this.#atomically("record L1 acceptance", () => {
      const known = meta.number(META.l1Accepted) ?? -1;
      if (blockNumber > known) meta.setNumber(META.l1Accepted, blockNumber);
    });
  }

  forgetL1Accepted(): void {
    this.#atomically("forget L1 acceptance", () => this.#tables.meta.remove(META.l1Accepted));
  }

  putValue(key: string, value: Uint8Array | undefined): void {
    const { meta } = this.#tables;
    this.#atomically("store a value", () => {
      if (value === undefined) meta.remove(nodeKey(key));
      else meta.setBytes(nodeKey(key), value);
    });
  }

  pruneMore(): boolean {
    return this.#atomically("delete what is not kept", () => {
      const newest = this.#tables.blockReader.latestNumber();
      return newest !== undefined && this.#pruner.run(newest, SMALL_PORTION);
    });
  }

  forgetTries(): void {
    this.#tables.tries.forget();
  }

  #checkParent({ block: { header } }: BlockCommit): void {
    const parent = this.#tables.blockReader.tip(Number.MAX_SAFE_INTEGER) ?? this.#lastAncestor();
    const expected = parent === undefined ? 0 : parent.number + 1;
    if (header.number === expected && (parent === undefined || parent.hash === header.parentHash)) {
      return;
    }
    throw new StorageError(
      "STORAGE_WRONG_PARENT",
      `Block ${header.number} with parent ${hexFromFelt(header.parentHash)} does not follow the newest block (${parent === undefined ? "none" : `${parent.number}, ${hexFromFelt(parent.hash)}`}).`,
      { meta: { number: header.number, newest: parent?.number ?? null } },
    );
  }

  /** Returns the block that the chain continues; `undefined` if it starts with block 0. */
  #lastAncestor(): BlockHeader | undefined {
    const packed = this.#tables.meta.bytes(ANCESTOR_HEADERS_KEY);
    return packed === undefined ? undefined : unpackHeaders(packed).at(-1);
  }

  /** Runs `work` in one transaction, which is rolled back when it throws. */
  #atomically<T>(what: string, work: () => T): T {
    try {
      return this.#handle.connection.transaction(work).immediate();
    } catch (cause) {
      // The caches may hold ids and nodes of the rolled-back transaction.
      this.#tables.stateTables.forgetContractIds();
      this.#tables.tries.forget();
      if (cause instanceof AppError) throw cause;
      const message = `The database could not ${what}.${noRoomSentence(cause)}`;
      throw new StorageError("STORAGE_FAILED", message, { cause });
    }
  }
}
