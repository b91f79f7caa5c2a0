import { type Felt, RecentMap, type Timer } from "#base/primitives/index.ts";
import type { SubmitRefusal } from "./gateway-codes.ts";
import type { ForwardingLimits } from "./limits.ts";
import type { Received, ReceivedTransactions } from "./received.ts";
import { SenderQueues } from "./sender-queues.ts";
import type { StatusQuestion } from "./status-lookup.ts";

/** Where a transaction stands on the chain that is known here. */
export type Inclusion =
  | "accepted"
  /** In a block that is not accepted: it goes with the sequencer that builds it. */
  | "building";

/** What looking after what was handed on works with. */
export interface DoubtsDeps {
  readonly received: ReceivedTransactions;
  /** `undefined`: no block that is known here has it. */
  readonly inclusionOf: (hash: Felt) => Inclusion | undefined;
  readonly ask: StatusQuestion;
  /** Sends it again. @returns why it was not taken; `undefined`: it was, or nobody knows */
  readonly resend: (entry: Received) => Promise<SubmitRefusal | undefined>;
  readonly limits: ForwardingLimits;
  readonly timer: Timer;
}

/** How often it is looked for what is due, and most that is looked at then. */
const TICK_MS = 1_000;
const MAX_PER_TICK = 1_000;
/** Most questions of a tick, and most under way: a gateway is not flooded, whatever waits there. */
const MAX_ASKED_PER_TICK = 50;
const MAX_ASKING = 8;
const MAX_REASONS_CHARACTERS = 16 << 20;

/**
 * How often in a row a transaction must be refused when it is sent again: what it builds on was lost
 * with it, and is on its way as well.
 */
const MAX_REFUSALS = 3;

/** Most turns that are left out while a gateway does not know what the sequencer behind it has. */
const MAX_LEFT_OUT = 5;

/** A name of an entry, which does not keep it. */
interface Due {
  readonly hash: Felt;
  readonly untilMs: number;
  readonly atMs: number;
}

/**
 * Looks after what was handed on until it is in an accepted block: what is in none after a while is
 * asked after, and sent again as often as the sequencer does not know it: it may be another one by now.
 * Transactions of one account go one after the other, by nonce.
 */
export class Doubts {
  readonly #deps: DoubtsDeps;
  /** In the order in which they are due: each waits equally long. */
  #due: Due[] = [];
  #first = 0;
  /** What is due and not asked after yet. */
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

  /** Looks after a transaction from now on. */
  add({ hash, untilMs }: Received): void {
    if (this.#isStopped) return;
    const { timer, limits } = this.#deps;
    this.#due.push({ hash, untilMs, atMs: timer.nowMs() + limits.doubtMs });
    this.#arm();
  }

  /** Why a transaction that was handed on is not going to be included. */
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
      this.#look();
      this.#askNext();
      this.#arm();
    });
  }

  #look(): void {
    const nowMs = this.#deps.timer.nowMs();
    for (let looked = 0; looked < MAX_PER_TICK && this.#queues.size < MAX_PER_TICK; looked++) {
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
    else if (inclusion === "building" || entry.leftOut > 0) {
      entry.leftOut = Math.max(0, entry.leftOut - 1);
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

  /** Why it is not going to be included; `undefined`: it may be. */
  async #reasonAgainst(entry: Received): Promise<string | undefined> {
    const standing = await this.#deps.ask(entry.hash);
    if (standing === undefined) return undefined;
    if (standing.kind === "rejected") return standing.reason;
    if (standing.kind === "known") {
      entry.refusals = 0;
      return undefined;
    }
    const refusal = await this.#deps.resend(entry);
    // It was not looked at.
    if (refusal?.retryAfterSeconds !== undefined) return undefined;
    if (refusal?.code === "DUPLICATE_TX") {
      // A replica does not know what the sequencer has said itself.
      entry.duplicates++;
      entry.leftOut = Math.min(MAX_LEFT_OUT, entry.duplicates);
    }
    if (refusal === undefined || refusal.code === "DUPLICATE_TX") {
      entry.refusals = 0;
      return undefined;
    }
    if (++entry.refusals < MAX_REFUSALS) return undefined;
    return `the sequencer has lost the transaction, and did not take it again: ${refusal.reason}`;
  }
}
