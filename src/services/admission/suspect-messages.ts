import type { Felt } from "#base/primitives/index.ts";
import type { ChainReader } from "#engine/state/index.ts";
import {
  type ExecutionRecord,
  type MempoolStore,
  type SuspectMessage,
  UNNAMED,
} from "#io/storage/index.ts";
import { fatalReason, mustGoAlone } from "./rejection-reasons.ts";

/** What the executor has to know of crashes before it executes messages from L1. */
export interface MessageSuspicion {
  readonly messages: readonly SuspectMessage[];
  /** The process died of something that has no name: every message gets a block of its own. */
  readonly isCareful: boolean;
}

/** What suspect messages are known by. */
export interface SuspectMessagesDeps {
  readonly store: Pick<MempoolStore, "write" | "suspectMessages" | "rejectionOf">;
  readonly chain: Pick<ChainReader, "locate">;
  /** Whether a transaction waits in the mempool, which looks after its own. */
  readonly isWaiting: (hash: Felt) => boolean;
}

/**
 * Messages from L1 that were being executed, or committed, when the process or a thread died. They are in no
 * mempool, for L1 has them; what is known of their crashes is kept until they are in a block.
 */
export class SuspectMessages {
  readonly #deps: SuspectMessagesDeps;
  readonly #known = new Map<Felt, SuspectMessage>();

  constructor(deps: SuspectMessagesDeps) {
    this.#deps = deps;
  }

  /**
   * Notes, after the mempool was restored, what the journals say of the last stop.
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

  /** Transactions are in a block: of those that are suspect nothing is kept. */
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
    // A transaction that the mempool had, and has dropped because of this.
    if (store.rejectionOf(hash) !== undefined) return;
    const crashes = Math.max(attempt, this.#known.get(hash)?.crashes ?? 0);
    const suspect = { hash, crashes, reason: fatalReason(record, work) ?? null };
    this.#known.set(hash, suspect);
    store.write({ suspectMessages: [suspect] });
  }
}
