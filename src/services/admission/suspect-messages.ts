import type { Felt } from "#base/primitives/index.ts";
import type { ChainReader } from "#engine/state/index.ts";
import {
  type ExecutionRecord,
  type MempoolStore,
  type SuspectMessage,
  UNNAMED,
} from "#io/storage/index.ts";
import { fatalReason, mustGoAlone } from "./rejection-reasons.ts";

/** Crash information that the executor needs before it executes L1 messages. */
export interface MessageSuspicion {
  readonly messages: readonly SuspectMessage[];
  /** Whether the process died of unidentified work: each message then gets a separate block. */
  readonly isCareful: boolean;
}

/** Dependencies of {@link SuspectMessages}. */
export interface SuspectMessagesDeps {
  readonly store: Pick<MempoolStore, "write" | "suspectMessages" | "rejectionOf">;
  readonly chain: Pick<ChainReader, "locate">;
  /** Whether a transaction is in the mempool, which handles its own suspects. */
  readonly isWaiting: (hash: Felt) => boolean;
}

/**
 * L1 messages that were being executed or committed when the process or a thread died. The mempool does not
 * hold them, since L1 does; their crash records are kept until they are in a block.
 */
export class SuspectMessages {
  readonly #deps: SuspectMessagesDeps;
  readonly #known = new Map<Felt, SuspectMessage>();

  constructor(deps: SuspectMessagesDeps) {
    this.#deps = deps;
  }

  /**
   * Records the crash journals of the last stop; must run after the mempool was restored.
   *
   * @returns `undefined` when nothing is suspect
   */
  reload(
    executed: ExecutionRecord | undefined,
    committed: ExecutionRecord | undefined,
  ): MessageSuspicion | undefined {
    const { store } = this.#deps;
    for (const suspect of store.suspectMessages()) this.#known.set(suspect.hash, suspect);
    this.#note(executed, "executed");
    this.#note(committed, "committed");
    const isCareful = mustGoAlone(executed) || mustGoAlone(committed);
    const messages = [...this.#known.values()];
    return isCareful || messages.length > 0 ? { messages, isCareful } : undefined;
  }

  /** Clears the records of transactions that are in a block. */
  included(hashes: readonly Felt[]): void {
    if (this.#known.size === 0) return;
    const cleared = hashes.filter((hash) => this.#known.delete(hash));
    this.#deps.store.write({ clearMessages: cleared });
  }

  #note(record: ExecutionRecord | undefined, work: "executed" | "committed"): void {
    if (record === undefined || record.hash === UNNAMED) return;
    const { store, chain, isWaiting } = this.#deps;
    const { hash, attempt } = record;
    if (isWaiting(hash) || chain.locate(hash) !== undefined) return;
    // The mempool had this transaction, and dropped it because of this crash.
    if (store.rejectionOf(hash) !== undefined) return;
    const crashes = Math.max(attempt, this.#known.get(hash)?.crashes ?? 0);
    const suspect = { hash, crashes, reason: fatalReason(record, work) ?? null };
    this.#known.set(hash, suspect);
    store.write({ suspectMessages: [suspect] });
  }
}
