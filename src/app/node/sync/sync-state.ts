import type { Following, SyncStatus } from "#api/rpc/index.ts";
import {
  missingText,
  refusedText,
  silentText,
  unknownHeadText,
} from "../setup/readiness-reasons.ts";
import type { SourceName } from "../setup/follow.ts";
import type { BlockReference, SyncProgress, SyncRefusal } from "#services/sync/index.ts";

/** Maximum lag of a node in sync, in blocks: a gateway announces a block before it is stored here. */
export const MAX_LAG_BLOCKS = 8;

const NO_BLOCK: BlockReference = { number: 0, hash: 0n };

/** Dependencies of {@link SyncState}. */
export interface SyncStateDeps {
  /** Last block to sync; `null` for no limit. */
  readonly stopAt: number | null;
  readonly sourceName: SourceName;
  /**
   * Time without news of the source, or without the next block, in which `/ready` stays 200; milliseconds.
   */
  readonly graceMs: number;
  readonly nowMs: () => number;
}

/** State of a follower relative to its source, derived from the sync thread's messages. */
export class SyncState {
  readonly #deps: SyncStateDeps;
  #progress: SyncProgress = { starting: undefined, current: undefined, highest: undefined };
  #refusal: SyncRefusal | null = null;
  #isCaughtUp = false;
  /** Time of the source's last report of its newest block. */
  #headMs: number;
  /** Time when a block was last stored, or none was missing. */
  #movedMs: number;

  constructor(deps: SyncStateDeps) {
    this.#deps = deps;
    this.#headMs = this.#movedMs = deps.nowMs();
  }

  /** Newest block of the gateway; `undefined` until it is reported. */
  get highest(): number | undefined {
    return this.#progress.highest?.number;
  }

  get hasBlocks(): boolean {
    return this.#progress.current !== undefined;
  }

  /** Whether all blocks are stored, or were and the lag is at most {@link MAX_LAG_BLOCKS} since. */
  get isCaughtUp(): boolean {
    return this.#isCaughtUp;
  }

  progress(progress: SyncProgress): void {
    const { current, highest } = progress;
    const before = this.#progress;
    if (this.#lag() <= 0 || current?.hash !== before.current?.hash) {
      this.#movedMs = this.#deps.nowMs();
    }
    this.#progress = progress;
    if (highest === undefined) return;
    const lag = this.#lag();
    if (lag <= 0 || this.#isAtEnd()) this.#isCaughtUp = true;
    else if (lag > MAX_LAG_BLOCKS) this.#isCaughtUp = false;
  }

  refused(refusal: SyncRefusal | null): void {
    this.#refusal = refusal;
  }

  /**
   * Records that the source has reported its newest block.
   *
   * @param blockNumber - `null` if the source reports no blocks, which is ignored on a chain that has some
   */
  sourceHead(blockNumber: number | null): void {
    if (blockNumber === null && this.#progress.current !== undefined) return;
    this.#headMs = this.#deps.nowMs();
  }

  /**
   * Sync progress; `false` if caught up. Until the source reports its newest block, the node's own block is
   * named as the highest one.
   */
  status(): SyncStatus | false {
    const { starting, current, highest } = this.#progress;
    if (this.#isCaughtUp || this.#isAtEnd()) return false;
    return {
      startingBlock: starting ?? NO_BLOCK,
      currentBlock: current ?? NO_BLOCK,
      highestBlock: highest ?? current ?? NO_BLOCK,
    };
  }

  /** State for `/ready`. */
  following(): Following {
    return {
      highestBlock: this.highest,
      isInSync: this.#isCaughtUp,
      reason: this.#reason(),
      ...(this.#isAtEnd() ? {} : { sourceAgeSeconds: this.#secondsSince(this.#headMs) }),
    };
  }

  #reason(): string | undefined {
    const { graceMs, sourceName, nowMs } = this.#deps;
    if (this.#refusal !== null) return refusedText(this.#refusal, sourceName);
    if (this.#isAtEnd()) return undefined;
    const silentMs = nowMs() - this.#headMs;
    if (silentMs > graceMs) return silentText(sourceName, silentMs);
    if (this.highest === undefined) return unknownHeadText(sourceName);
    const waitedMs = nowMs() - this.#movedMs;
    if (this.#lag() <= 0 || waitedMs <= graceMs) return undefined;
    const next = (this.#progress.current?.number ?? -1) + 1;
    return missingText(next, waitedMs, { source: sourceName, highest: this.highest });
  }

  /** Number of blocks that the source has and that are not stored. */
  #lag(): number {
    const { current, highest } = this.#progress;
    return (highest?.number ?? -1) - (current?.number ?? -1);
  }

  #secondsSince(atMs: number): number {
    return Math.floor((this.#deps.nowMs() - atMs) / 1000);
  }

  /** Whether the last block to sync is stored. */
  #isAtEnd(): boolean {
    const { stopAt } = this.#deps;
    return stopAt !== null && (this.#progress.current?.number ?? -1) >= stopAt;
  }
}
