import { type Felt, RecentMap, type Timer } from "#base/primitives/index.ts";
import type { SubmitRefusal } from "./gateway-codes.ts";
import type { ForwardingLimits } from "./limits.ts";
import type { Received, ReceivedTransactions } from "./received.ts";
import { SenderQueues } from "./sender-queues.ts";
import type { StatusQuestion } from "./status-lookup.ts";

/**
 * How the local chain contains a forwarded transaction: in an accepted block, or only in one above
 * them.
 */
export type Inclusion =
  | "accepted"
  /** In a block that is not accepted: it is lost if the sequencer that builds the block is lost. */
  | "building";

/** Dependencies of {@link Doubts}. */
export interface DoubtsDeps {
  readonly received: ReceivedTransactions;
  /** `undefined` if no known block contains the transaction. */
  readonly inclusionOf: (hash: Felt) => Inclusion | undefined;
  readonly ask: StatusQuestion;
  /** Sends the transaction again. @returns the refusal; `undefined` if accepted, or if unknown */
  readonly resend: (entry: Received) => Promise<SubmitRefusal | undefined>;
  readonly limits: ForwardingLimits;
  readonly timer: Timer;
}

const TICK_MS = 1_000;
const MAX_PER_TICK = 1_000;
/** Maximum number of status requests per tick, so that the gateway is not flooded. */
const MAX_ASKED_PER_TICK = 50;
/** Maximum number of status requests in flight. */
const MAX_ASKING = 8;
/** Memory limit of recorded rejection reasons, in characters. */
const MAX_REASONS_CHARACTERS = 16 << 20;

/**
 * Consecutive refusals of a resent transaction before it counts as rejected: transactions that it builds on
 * may have been lost with it, and may still be in flight.
 */
const MAX_REFUSALS = 3;

/** Maximum polls to skip while a gateway lags behind its sequencer. */
const MAX_SKIPS = 5;

/** Reference to an entry that does not keep it in memory. */
interface Due {
  readonly hash: Felt;
  readonly untilMs: number;
  readonly atMs: number;
}

/**
 * Tracks forwarded transactions until an accepted block contains them. If none does after a while, the status
 * is requested, and the transaction is sent again whenever the sequencer does not know it: the leader may
 * have changed. Transactions of one account are handled one after the other, by nonce.
 */
export class Doubts {
  readonly #deps: DoubtsDeps;
  /** Transactions in the order in which they are due; all wait equally long. */
  #due: Due[] = [];
  #first = 0;
  /** Due transactions whose status has not been requested yet. */
  readonly #queues = new SenderQueues();
  readonly #reasons = new RecentMap<Felt, string>(
    MAX_REASONS_CHARACTERS,
    (reason) => reason.length + 64,
  );
  #asking = 0;
  #askedInTick = 0;
  #cancel: (() => void) | undefined;
  #isStopped = false;

  constructor(deps: DoubtsDeps) {
    this.#deps = deps;
  }

  add({ hash, untilMs }: Received): void {
    if (this.#isStopped) return;
    const { timer, limits } = this.#deps;
    this.#due.push({ hash, untilMs, atMs: timer.nowMs() + limits.doubtMs });
    this.#arm();
  }

  /** Returns why a forwarded transaction will not be included. */
  reasonOf(hash: Felt): string | undefined {
    return this.#reasons.get(hash);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
    this.#due = [];
    this.#first = 0;
    this.#queues.clear();
  }

  #arm(): void {
    if (this.#first >= this.#due.length && this.#queues.size === 0) return;
    this.#cancel ??= this.#deps.timer.after(TICK_MS, () => {
      this.#cancel = undefined;
      this.#askedInTick = 0;
      this.#examineDue();
      this.#askNext();
      this.#arm();
    });
  }

  #examineDue(): void {
    const nowMs = this.#deps.timer.nowMs();
    for (
      let examined = 0;
      examined < MAX_PER_TICK && this.#queues.size < MAX_PER_TICK;
      examined++
    ) {
      const next = this.#due[this.#first];
      if (next === undefined || next.atMs > nowMs) break;
      this.#first++;
      this.#examine(next);
    }
    if (this.#first > MAX_PER_TICK || this.#first === this.#due.length) {
      this.#due = this.#due.slice(this.#first);
      this.#first = 0;
    }
  }

  #examine({ hash, untilMs }: Due): void {
    const { received, inclusionOf } = this.#deps;
    const entry = received.get(hash);
    if (entry?.untilMs !== untilMs) return;
    const inclusion = inclusionOf(hash);
    if (inclusion === "accepted") received.delete(hash);
    else if (inclusion === "building" || entry.skips > 0) {
      entry.skips = Math.max(0, entry.skips - 1);
      this.add(entry);
    } else this.#queues.add(entry);
  }

  #askNext(): void {
    while (this.#asking < MAX_ASKING && this.#askedInTick < MAX_ASKED_PER_TICK) {
      const next = this.#queues.take();
      if (next === undefined) return;
      const { hash, untilMs } = next;
      const entry = this.#deps.received.get(hash);
      if (entry?.untilMs !== untilMs) this.#queues.done(next);
      else {
        this.#asking++;
        this.#askedInTick++;
        void this.#ask(entry);
      }
    }
  }

  async #ask(entry: Received): Promise<void> {
    const reason = await this.#reasonAgainst(entry);
    this.#asking--;
    this.#queues.done(entry);
    this.#settle(entry, reason);
    if (!this.#isStopped) this.#askNext();
  }

  #settle(entry: Received, reason: string | undefined): void {
    const { received, inclusionOf } = this.#deps;
    const { hash } = entry;
    if (received.get(hash) !== entry) return;
    if (inclusionOf(hash) === "accepted") received.delete(hash);
    else if (reason === undefined) this.add(entry);
    else {
      received.delete(hash);
      this.#reasons.set(hash, reason);
    }
  }

  /** Returns why the transaction will not be included; `undefined` if it still may be. */
  async #reasonAgainst(entry: Received): Promise<string | undefined> {
    const verdict = await this.#deps.ask(entry.hash);
    if (verdict === undefined) return undefined;
    if (verdict.kind === "rejected") return verdict.reason;
    if (verdict.kind === "known") {
      entry.refusals = 0;
      return undefined;
    }
    const refusal = await this.#deps.resend(entry);
    // The gateway did not process it (rate limit).
    if (refusal?.retryAfterSeconds !== undefined) return undefined;
    if (refusal?.code === "DUPLICATE_TX") {
      // A lagging replica does not know a transaction that its sequencer already has.
      entry.duplicates++;
      entry.skips = Math.min(MAX_SKIPS, entry.duplicates);
    }
    if (refusal === undefined || refusal.code === "DUPLICATE_TX") {
      entry.refusals = 0;
      return undefined;
    }
    if (++entry.refusals < MAX_REFUSALS) return undefined;
    return `the sequencer lost the transaction, and rejected it when it was sent again: ${refusal.reason}`;
  }
}
