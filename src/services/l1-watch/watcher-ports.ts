import type { Timer } from "#base/primitives/index.ts";
import type { L1Block, L1BlockId, L1Finality, L1Source, L1View, MessageLog } from "#io/l1/index.ts";
import type { StateWatch } from "./state-watch.ts";

/** Receiver of messages to L2. Calls do not overlap. */
export interface L1MessageTaker {
  /** Starts over: logs from this block on follow, and everything is reported again. */
  begins(fromBlock: number): void;
  /** Receives the messages of the next block range, in order and without gaps. */
  logs(messages: readonly MessageLog[], view: L1View): Promise<void>;
  /** Ends a step: all logs up to the view's block were reported. */
  step(view: L1View): Promise<void>;
  /** L1 data may be stale, or the chain has changed: everything will be reported again. */
  reset(): void;
}

/** Progress events of following L1, for logs and metrics. */
export type L1WatchEvent =
  /** Reading starts at this block. */
  | { readonly kind: "begun"; readonly fromBlock: number }
  /** All blocks up to `read` were read; `block` is the newest at the configured finality. */
  | {
      readonly kind: "stepped";
      readonly head: L1Block;
      readonly block: L1Block;
      readonly read: number;
    }
  /** Reading, message delivery or settling failed; it is retried. */
  | {
      readonly kind: "failed";
      readonly part: "logs" | "messages" | "state";
      readonly error: unknown;
    }
  /** Reading succeeds again after this many failed attempts. */
  | { readonly kind: "recovered"; readonly failures: number }
  /** A block that was read is no longer on L1's chain: everything is read again. */
  | { readonly kind: "reorganized"; readonly gone: L1BlockId };

/** Dependencies of {@link L1Watcher}. */
export interface L1WatcherDeps {
  readonly source: Pick<L1Source, "blockBefore" | "stateReports" | "view">;
  readonly state: StateWatch;
  /** `null` when messages are handled elsewhere, as on a full node. */
  readonly messages: L1MessageTaker | null;
  readonly finality: L1Finality;
  /** Length of the replay window: age of the oldest logs that are read at startup. */
  readonly replayMs: number;
  readonly pollMs: number;
  /** Maximum blocks per log request. */
  readonly rangeBlocks: number;
  readonly timer: Timer;
  /** Unix milliseconds; the epoch of L1's timestamps. */
  nowUnixMs(): number;
  onEvent(event: L1WatchEvent): void;
}
