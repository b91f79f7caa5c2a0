import { type Felt, RecentMap, type Timer } from "#base/primitives/index.ts";
import type { ForwardingLimits } from "./limits.ts";
import type { Received, ReceivedTransactions } from "./received.ts";
import type { StatusQuestion } from "./status-lookup.ts";
import type { SubmitRefusal } from "./gateway-codes.ts";

/** What looking after what was handed on works with. */
export interface DoubtsDeps {
  readonly received: ReceivedTransactions;
  /** Whether a transaction is in a block that is known here, accepted or not. */
  readonly isIncluded: (hash: Felt) => boolean;
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

/** A name of an entry, which does not keep it. */
interface Due {
  readonly hash: Felt;
  readonly untilMs: number;
  readonly atMs: number;
}

/**
 * Looks after what was handed on until it is in a block: what is in none after a while is asked after,
 * and sent again, once, when the sequencer has forgotten it.
 */
export class Doubts {
  readonly #deps: DoubtsDeps;
  /** In the order in which they are due: each waits equally long. */
  #due: Due[] = [];
  #first = 0;
  readonly #reasons = new RecentMap<Felt, string>(
    MAX_REASONS_CHARACTERS,
    (reason) => reason.length + 64,
  );
  #asking = 0;
  #cancel: (() => void) | undefined;

  constructor(deps: DoubtsDeps) {
    this.#deps = deps;
  }

  /** Looks after a transaction from now on. */
  add(entry: Received): void {
    this.#later(entry);
    this.#arm();
  }

  /** Why a transaction that was handed on is not going to be included. */
  reasonOf(hash: Felt): string | undefined {
    return this.#reasons.get(hash);
  }

  stop(): void {
    this.#cancel?.();
    this.#due = [];
    this.#first = 0;
  }

  #later({ hash, untilMs }: Received): void {
    const { timer, limits } = this.#deps;
    this.#due.push({ hash, untilMs, atMs: timer.nowMs() + limits.doubtMs });
  }

  #arm(): void {
    if (this.#first >= this.#due.length) return;
    this.#cancel ??= this.#deps.timer.after(TICK_MS, () => {
      this.#cancel = undefined;
      this.#look();
      this.#arm();
    });
  }

  #look(): void {
    const nowMs = this.#deps.timer.nowMs();
    for (let looked = 0, asked = 0; looked < MAX_PER_TICK; looked++) {
      const next = this.#due[this.#first];
      if (next === undefined || next.atMs > nowMs) break;
      if (asked >= MAX_ASKED_PER_TICK || this.#asking >= MAX_ASKING) break;
      this.#first++;
      if (this.#examine(next)) asked++;
    }
    if (this.#first > MAX_PER_TICK || this.#first === this.#due.length) {
      this.#due = this.#due.slice(this.#first);
      this.#first = 0;
    }
  }

  /** @returns whether the gateway is asked */
  #examine({ hash, untilMs }: Due): boolean {
    const { received, isIncluded } = this.#deps;
    const entry = received.get(hash);
    if (entry?.untilMs !== untilMs) return false;
    if (isIncluded(hash)) received.delete(hash);
    else void this.#ask(entry);
    return received.get(hash) !== undefined;
  }

  async #ask(entry: Received): Promise<void> {
    this.#asking++;
    const reason = await this.#reasonAgainst(entry);
    this.#asking--;
    const { received, isIncluded } = this.#deps;
    const { hash } = entry;
    if (received.get(hash) !== entry) return;
    if (isIncluded(hash)) received.delete(hash);
    else if (reason === undefined) this.add(entry);
    else {
      received.delete(hash);
      this.#reasons.set(hash, reason);
    }
  }

  /** Why it is not going to be included; `undefined`: it may be. */
  async #reasonAgainst(entry: Received): Promise<string | undefined> {
    const standing = await this.#deps.ask(entry.hash);
    if (standing === undefined || standing.kind === "known") return undefined;
    if (standing.kind === "rejected") return standing.reason;
    // A replica does not know what the sequencer has said itself.
    if (entry.isHeld) return undefined;
    if (entry.wasResent) return "the sequencer has lost the transaction twice: send it again";
    entry.wasResent = true;
    const refusal = await this.#deps.resend(entry);
    if (refusal?.code === "DUPLICATE_TX") entry.isHeld = true;
    if (refusal === undefined || entry.isHeld) return undefined;
    // It was not looked at.
    if (refusal.retryAfterSeconds !== undefined) {
      entry.wasResent = false;
      return undefined;
    }
    return `the sequencer has lost the transaction, and did not take it again: ${refusal.reason}`;
  }
}
