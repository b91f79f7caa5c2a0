import type { Following, SyncStatus } from "#api/rpc/index.ts";
import type { SourceName } from "../setup/follow.ts";
import type { BlockReference, SyncProgress, SyncRefusal } from "#services/sync/index.ts";

/** Blocks that a node may fall behind without being out of sync: a gateway tells of one before it is here. */
export const MAX_LAG_BLOCKS = 8;

/** How long gateways may be silent before nobody knows any more how far the node is behind. */
export const SILENCE_MS = 60_000;

const NO_BLOCK: BlockReference = { number: 0, hash: 0n };

/** There may be several gateways, of which none answers. */
const NOBODY: Readonly<Record<SourceName, string>> = {
  "the gateway": "no gateway has",
  "the store": "the store has not",
};

/** What the standing of a follower is told with. */
export interface SyncStandingDeps {
  /** Last block that is taken; `null`: there is none. */
  readonly stopAt: number | null;
  readonly sourceName: SourceName;
  readonly nowMs: () => number;
}

/** How a follower stands to what it follows, from what its sync thread tells. */
export class SyncStanding {
  readonly #deps: SyncStandingDeps;
  #progress: SyncProgress = { starting: undefined, current: undefined, highest: undefined };
  #refusal: SyncRefusal | null = null;
  #isCaughtUp = false;
  #answeredMs: number;

  constructor(deps: SyncStandingDeps) {
    this.#deps = deps;
    this.#answeredMs = deps.nowMs();
  }

  /** Newest block of the gateway; `undefined`: none was told yet. */
  get highest(): number | undefined {
    return this.#progress.highest?.number;
  }

  /** It has all blocks, or had them and is hardly behind since. */
  get isCaughtUp(): boolean {
    return this.#isCaughtUp;
  }

  progress(progress: SyncProgress): void {
    this.#progress = progress;
    const { current, highest } = progress;
    if (highest === undefined) return;
    const lag = highest.number - (current?.number ?? -1);
    if (lag <= 0 || this.#isAtEnd()) this.#isCaughtUp = true;
    else if (lag > MAX_LAG_BLOCKS) this.#isCaughtUp = false;
  }

  refused(refusal: SyncRefusal | null): void {
    this.#refusal = refusal;
  }

  /** A gateway has answered something. */
  answered(): void {
    this.#answeredMs = this.#deps.nowMs();
  }

  /** `false`: caught up, or nobody knows yet with what. */
  status(): SyncStatus | false {
    const { starting, current, highest } = this.#progress;
    if (highest === undefined || this.#isCaughtUp) return false;
    return {
      startingBlock: starting ?? NO_BLOCK,
      currentBlock: current ?? NO_BLOCK,
      highestBlock: highest,
    };
  }

  /** For `/ready`. */
  following(): Following {
    return {
      highestBlock: this.highest,
      isInSync: this.#isCaughtUp,
      reason: this.#reason(),
    };
  }

  #reason(): string | undefined {
    if (this.#refusal !== null) {
      const { check, blockNumber, message } = this.#refusal;
      const what = blockNumber === null ? this.#deps.sourceName : `block ${blockNumber}`;
      return `${what} is refused (${check}): ${message}`;
    }
    if (this.#isAtEnd()) return undefined;
    const nobody = NOBODY[this.#deps.sourceName];
    const silentMs = this.#deps.nowMs() - this.#answeredMs;
    if (silentMs > SILENCE_MS) {
      return `${nobody} answered for ${Math.floor(silentMs / 1000)} s`;
    }
    return this.highest === undefined ? `${nobody} told of a block yet` : undefined;
  }

  /** It has all that it is to take. */
  #isAtEnd(): boolean {
    const { stopAt } = this.#deps;
    return stopAt !== null && (this.#progress.current?.number ?? -1) >= stopAt;
  }
}
