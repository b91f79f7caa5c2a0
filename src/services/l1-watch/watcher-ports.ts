import type { Timer } from "#base/primitives/index.ts";
import type { L1Block, L1BlockId, L1Finality, L1Source, L1View, MessageLog } from "#io/l1/index.ts";
import type { StateWatch } from "./state-watch.ts";

/** Who takes messages to L2. One call at a time, each after the one before has ended. */
export interface L1MessageTaker {
  /** Logs from this block on follow: all that was told before is told again. */
  begins(fromBlock: number): void;
  /** The messages of the next range of blocks, in their order; nothing was left out in between. */
  logs(messages: readonly MessageLog[], view: L1View): Promise<void>;
  /** All logs up to the view's block were told. */
  step(view: L1View): Promise<void>;
  /** What was told of L1 may not be so any more, or the chain is another: it is told anew. */
  reset(): void;
}

/** What is told of how L1 is followed, for the log and for metrics. */
export type L1WatchEvent =
  /** Logs are read from this block on. */
  | { readonly kind: "begun"; readonly fromBlock: number }
  /** All blocks up to `read` were read; `block` is the newest that counts. */
  | {
      readonly kind: "stepped";
      readonly head: L1Block;
      readonly block: L1Block;
      readonly read: number;
    }
  /** Reading, handing messages on or settling blocks ended with an error: it is tried again. */
  | {
      readonly kind: "failed";
      readonly part: "logs" | "messages" | "state";
      readonly error: unknown;
    }
  /** L1 is read again after so many tries that failed. */
  | { readonly kind: "recovered"; readonly failures: number }
  /** A block that was read is not one of L1's any more: all is read again. */
  | { readonly kind: "reorganized"; readonly gone: L1BlockId };

/** What L1 is followed with. */
export interface L1WatcherDeps {
  readonly source: Pick<L1Source, "blockBefore" | "stateReports" | "view">;
  readonly state: StateWatch;
  /** `null`: messages are somebody else's matter, as on a full node. */
  readonly messages: L1MessageTaker | null;
  readonly finality: L1Finality;
  /** How far back logs are read at a start. */
  readonly replayMs: number;
  readonly pollMs: number;
  /** Most blocks whose logs are read at once. */
  readonly rangeBlocks: number;
  readonly timer: Timer;
  /** Milliseconds since 1970, as L1's timestamps count. */
  nowUnixMs(): number;
  onEvent(event: L1WatchEvent): void;
}
