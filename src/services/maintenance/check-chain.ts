import { NodeError } from "#base/errors/index.ts";
import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import { blockEvents } from "#protocol/chain/index.ts";
import type { IntegrityReader } from "#io/storage/index.ts";
import { type BlockContents, previousOf, readContents } from "./block-contents.ts";
import { BlockTotals } from "./block-totals.ts";
import { checkClasses, type Recompile } from "./check-classes.ts";
import { checkCounts, checkFile, checkTrieCounts, type OtherChainId } from "./check-file.ts";
import { checkHeader } from "./check-header.ts";
import { checkAncestors, checkOlderClasses } from "./check-before.ts";
import { checkState } from "./check-state.ts";
import { checkTransactions } from "./check-transactions.ts";
import { checkStateRoot, checkTries } from "./check-tries.ts";
import { checkWholeTries } from "./check-whole-tries.ts";
import { type Difference, differ, differenceOf, reading } from "./difference.ts";

/** Maximum work between two pauses. */
const PAUSE_AFTER_MS = 50;

/** Progress of a check. */
export type CheckProgress =
  | { readonly phase: "file" }
  | { readonly phase: "blocks"; readonly done: number; readonly total: number };

/** Range, inputs and callbacks of a check. */
export interface CheckOptions {
  /** First block; `null` for the oldest one present. */
  readonly from: number | null;
  /** Last block; `null` for the newest one, including blocks that arrive meanwhile. */
  readonly to: number | null;
  /** Public key of the block signer; `null` skips the check of signatures. */
  readonly publicKey: Felt | null;
  /** Recompiles classes to compare hints, which no hash covers; `null` relies on their stored digests. */
  readonly recompile: Recompile | null;
  readonly otherChainIds: readonly OtherChainId[];
  /**
   * Whether the chain continues a block of another one. Its tries, which have the local changes alone, are not
   * checked, and neither are hashes of the blocks before its first one.
   */
  readonly isFork: boolean;
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
  /** Yields to other work. */
  readonly pause: () => Promise<void>;
  readonly onProgress: (progress: CheckProgress) => void;
}

/** Result of a check of the stored chain. */
export interface CheckResult {
  /** Blocks that were checked. */
  readonly blocks: number;
  readonly transactions: number;
  /** Blocks whose tries were checked; pruned tries are not. */
  readonly tries: number;
  /** Sierra classes. */
  readonly classes: number;
  /** Those of them that were recompiled, to the same code with the same hints. */
  readonly recompiled: number;
  readonly difference: Difference | undefined;
}

/**
 * Verifies a chain database: the file, then block by block everything that can be recomputed, up to the first
 * difference. It can read in parallel with a running node. Memory holds one block, and some thousand trie
 * nodes.
 *
 * @throws {NodeError} NODE_STOPPED when the signal is aborted
 */
export async function checkChain(
  reader: IntegrityReader,
  options: CheckOptions,
): Promise<CheckResult> {
  const check = new ChainCheck(reader, options);
  let difference: Difference | undefined;
  try {
    await check.run();
  } catch (error) {
    difference = differenceOf(error, check.blockNumber);
    if (difference === undefined) throw error;
  }
  const { blocks, transactions, tries, classes, recompiled } = check.totals;
  return { blocks, transactions, tries, classes, recompiled, difference };
}

class ChainCheck {
  readonly totals = new BlockTotals();
  /** The block being checked; `null` before the first and after the last one. */
  blockNumber: number | null = null;
  readonly #reader: IntegrityReader;
  readonly #options: CheckOptions;
  readonly #chainId: Felt;
  readonly #events;
  #pausedAtMs: number;
  /** Whether the tries of the preceding block are kept and were checked. */
  #triesBefore = false;

  constructor(reader: IntegrityReader, options: CheckOptions) {
    this.#reader = reader;
    this.#options = options;
    this.#chainId = feltFromShortString(reader.chainId);
    this.#events = reader.createEventIndexCheck();
    this.#pausedAtMs = options.nowMs();
  }

  async run(): Promise<void> {
    const { to, onProgress, otherChainIds } = this.#options;
    onProgress({ phase: "file" });
    await checkFile(this.#reader, otherChainIds);
    const { oldest } = this.#reader.marks();
    const from = this.#options.from ?? oldest;
    if (from === oldest && oldest > 0) await this.#before(oldest);
    for (let number = from; ; number++) {
      const { latest } = this.#reader.marks();
      const last = Math.min(to ?? latest, latest);
      if (number > last) break;
      onProgress({ phase: "blocks", done: number - from, total: last - from + 1 });
      await this.#block(number);
    }
    this.blockNumber = null;
    this.#end(from);
  }

  /** Checks the data that the chain has of the blocks before its first one. */
  async #before(oldest: number): Promise<void> {
    const { isFork } = this.#options;
    checkAncestors(this.#reader, oldest, isFork ? null : this.#chainId);
    // State and classes before the first block are not stored.
    if (isFork) return;
    const steps = checkOlderClasses(this.#reader, oldest);
    while (steps.next().done !== true) await this.#pauseInTime();
  }

  async #block(number: number): Promise<void> {
    this.#reader.begin();
    try {
      // A running node may have reverted this block meanwhile.
      if (number > this.#reader.marks().latest) return;
      this.blockNumber = number;
      const steps = this.#steps(number);
      while (steps.next().done !== true) await this.#pauseInTime();
    } finally {
      this.#reader.end();
    }
    await this.#pauseInTime();
  }

  *#steps(number: number): Generator<void, void> {
    const reader = this.#reader;
    const contents = readContents(reader, number);
    const previous = previousOf(reader, number);
    const { publicKey, recompile, isFork } = this.#options;
    checkHeader(reader, contents, { previous, chainId: this.#chainId, publicKey });
    yield;
    yield* checkTransactions(reader, contents, this.#chainId);
    const marks = reader.marks();
    const { latest, oldestState, oldestTrie } = marks;
    const events = blockEvents(contents.receipts).map(({ event }) => event);
    if (!this.#events.add(number, events, number === latest)) {
      differ("event_segment", "entries", "they do not match the events of the blocks");
    }
    const classes = yield* checkClasses(reader, contents, { recompile, isFork });
    const rows = yield* checkState(reader, contents, oldestState);
    this.totals.add(contents, classes, rows, marks);
    if (isFork || number < oldestTrie) return;
    yield* this.#tries(contents, previous.lastNodeId, oldestState, oldestTrie);
  }

  *#tries(
    contents: BlockContents,
    lastNodeId: number,
    oldestState: number,
    oldestTrie: number,
  ): Generator<void, void> {
    const { number } = contents;
    const isStateKept = number >= oldestState;
    const areKept = number > oldestTrie;
    // Nodes of the oldest tries may have been added by any earlier block.
    const isFirst = number > 0 && number === oldestTrie && !this.#triesBefore;
    if (isFirst) checkStateRoot(this.#reader, contents);
    else {
      const before = { lastNodeId, areKept };
      const rows = yield* checkTries(this.#reader, contents, before, isStateKept);
      if (rows !== undefined) this.totals.addTries(rows, oldestTrie);
    }
    const isOldestState = number > 0 && number === oldestState;
    if (isFirst || isOldestState) yield* checkWholeTries(this.#reader, number, isStateKept);
    this.#triesBefore = true;
    this.totals.tries++;
  }

  /** Rows without a block can only be detected by counting, and only once all blocks are counted. */
  #end(from: number): void {
    const reader = this.#reader;
    reader.begin();
    try {
      const marks = reader.marks();
      const { latest, oldest, oldestTrie } = marks;
      if (from !== oldest || this.totals.blocks !== latest + 1 - oldest) return;
      checkCounts(reader, this.totals.rows(marks));
      if (this.#options.isFork) return;
      checkTrieCounts(reader, this.totals.trieRows(oldestTrie), oldestTrie);
      const last = latest < 0 ? 0 : previousOf(reader, latest + 1).lastNodeId;
      const greatest = reading("trie_page", "nodes", () => reader.greatestNodeId());
      if (greatest > last)
        differ("trie_page", "nodes", `${greatest} is above the node ids of all blocks`);
    } finally {
      reader.end();
    }
  }

  async #pauseInTime(): Promise<void> {
    const { nowMs, pause, signal } = this.#options;
    if (nowMs() - this.#pausedAtMs < PAUSE_AFTER_MS) return;
    await pause();
    this.#pausedAtMs = nowMs();
    if (signal.aborted) throw new NodeError("NODE_STOPPED", "stopped before the end of the check");
  }
}
