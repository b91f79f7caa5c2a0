import type { Following, SyncStatus } from "#api/rpc/index.ts";
import {
  missingText,
  refusedText,
  silentText,
  unknownHeadText,
} from "../setup/readiness-reasons.ts";
import type { SourceName } from "../setup/follow.ts";
import type { BlockReference, SyncProgress, SyncRefusal } from "#services/sync/index.ts";

/** Blocks that a node may fall behind without being out of sync: a gateway tells of one before it is here. */
export const MAX_LAG_BLOCKS = 8;

const NO_BLOCK: BlockReference = { number: 0, hash: 0n };

/** What the standing of a follower is told with. */
export interface SyncStandingDeps {
  /** Last block that is taken; `null`: there is none. */
  readonly stopAt: number | null;
  readonly sourceName: SourceName;
  /** How long `/ready` stays 200 without news of the source, or without the next block; milliseconds. */
  readonly graceMs: number;
  readonly nowMs: () => number;
}

/** How a follower stands to what it follows, from what its sync thread tells. */
export class SyncStanding {
  readonly #deps: SyncStandingDeps;
  #progress: SyncProgress = { starting: undefined, current: undefined, highest: undefined };
  #refusal: SyncRefusal | null = null;
  #isCaughtUp = false;
  /** When the source told its newest block last. */
  #headMs: number;
  /** When a block was stored last, or there was none to store. */
  #movedMs: number;

  constructor(deps: SyncStandingDeps) {
    this.#deps = deps;
    this.#headMs = this.#movedMs = deps.nowMs();
  }

  /** Newest block of the gateway; `undefined`: none was told yet. */
  get highest(): number | undefined {
    return this.#progress.highest?.number;
  }

  /** Whether a block is stored. */
  get hasBlocks(): boolean {
    return this.#progress.current !== undefined;
  }

  /** It has all blocks, or had them and is hardly behind since. */
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
   * The source has told its newest block.
   *
   * @param blockNumber - `null`: it says that it has none, which tells nothing of a chain that has blocks
   */
  sourceHead(blockNumber: number | null): void {
    if (blockNumber === null && this.#progress.current !== undefined) return;
    this.#headMs = this.#deps.nowMs();
  }

  /**
   * `false`: caught up. As long as the source has not told its newest block, nobody knows whether the node
   * is: it names its own block as the highest one.
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

  /** For `/ready`. */
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

  /** Blocks that the source is known to have and that are not stored. */
  #lag(): number {
    const { current, highest } = this.#progress;
    return (highest?.number ?? -1) - (current?.number ?? -1);
  }

  #secondsSince(atMs: number): number {
    return Math.floor((this.#deps.nowMs() - atMs) / 1000);
  }

  /** It has all that it is to take. */
  #isAtEnd(): boolean {
    const { stopAt } = this.#deps;
    return stopAt !== null && (this.#progress.current?.number ?? -1) >= stopAt;
  }
}
