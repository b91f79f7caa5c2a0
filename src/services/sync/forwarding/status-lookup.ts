import { type Felt, RecentMap, type Timer } from "#base/primitives/index.ts";
import type { GatewayClient, GatewayTransactionStatus } from "#io/feeder/index.ts";
import type { ForwardingLimits } from "./limits.ts";

/** What the gateway says of a hash. */
export type GatewayStanding =
  /** It knows the transaction, wherever it stands. */
  | { readonly kind: "known"; readonly isCandidate: boolean }
  | { readonly kind: "rejected"; readonly reason: string }
  /** It does not know it. */
  | { readonly kind: "unknown" };

/** Asks the gateway for the standing of a transaction; `undefined`: it did not say. */
export type StatusQuestion = (hash: Felt) => Promise<GatewayStanding | undefined>;

/** How the gateway is asked, in words of its own. */
export function statusQuestion(gateway: Pick<GatewayClient, "transactionStatus">): StatusQuestion {
  return async (hash) => {
    const reply = await gateway.transactionStatus(hash);
    return reply.kind === "told" ? standingOf(reply.status) : undefined;
  };
}

function standingOf(told: GatewayTransactionStatus): GatewayStanding {
  const { finality, status, executionStatus, failureReason } = told;
  if (status === "REJECTED" || executionStatus === "REJECTED") {
    const reason = failureReason ?? "the sequencer gives no reason";
    return { kind: "rejected", reason: reason.slice(0, MAX_REASON_CHARACTERS) };
  }
  if (finality === "NOT_RECEIVED") return { kind: "unknown" };
  return { kind: "known", isCandidate: status === "CANDIDATE" };
}

interface Waiting {
  readonly hash: Felt;
  isAnswered: boolean;
  readonly answer: (standing: GatewayStanding | undefined) => void;
}

/** Answers that are kept: so many, and fewer where their reasons are long. */
const MAX_KNOWN = 10_000;
const MAX_KNOWN_CHARACTERS = 16 << 20;

/** Longest reason that is taken: a validation can have its whole trace in it. */
const MAX_REASON_CHARACTERS = 100_000;

interface Answer {
  readonly standing: GatewayStanding | undefined;
  /** When the gateway said it. */
  readonly saidMs: number;
  /** Until when it is believed. */
  readonly untilMs: number;
}

function sizeOf({ standing }: Answer): number {
  const characters = standing?.kind === "rejected" ? standing.reason.length : 0;
  return Math.max(MAX_KNOWN_CHARACTERS / MAX_KNOWN, characters);
}

/**
 * Looks hashes up at the gateway that are not known here. Many may ask at once, and some for hashes that
 * nobody has ever had: only so many questions are under way, the newest goes first, and nobody waits
 * longer than a while, after which nothing is known of the hash.
 */
export class StatusLookup {
  readonly #ask: StatusQuestion;
  readonly #limits: ForwardingLimits;
  readonly #timer: Timer;
  readonly #answers = new RecentMap<Felt, Answer>(MAX_KNOWN_CHARACTERS, sizeOf);
  readonly #asked = new Map<Felt, Promise<GatewayStanding | undefined>>();
  /** The newest is the last. */
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #isStopped = false;

  constructor(ask: StatusQuestion, limits: ForwardingLimits, timer: Timer) {
    this.#ask = ask;
    this.#limits = limits;
    this.#timer = timer;
  }

  /** What the gateway says; `undefined`: that is not known, or not in time. */
  of(hash: Felt): Promise<GatewayStanding | undefined> {
    const known = this.#answers.get(hash);
    if (known !== undefined && this.#timer.nowMs() < known.untilMs) {
      return Promise.resolve(known.standing);
    }
    if (this.#isStopped) return Promise.resolve(undefined);
    return this.#asked.get(hash) ?? this.#enqueue(hash);
  }

  /** Answers whoever waits. */
  stop(): void {
    this.#isStopped = true;
    for (const { answer } of this.#waiting.splice(0)) answer(undefined);
  }

  #enqueue(hash: Felt): Promise<GatewayStanding | undefined> {
    const { lookupMs, maxLookupsWaiting } = this.#limits;
    const asked = new Promise<GatewayStanding | undefined>((resolve) => {
      const waiting: Waiting = {
        hash,
        isAnswered: false,
        answer: (standing) => {
          if (waiting.isAnswered) return;
          waiting.isAnswered = true;
          cancel();
          this.#asked.delete(hash);
          resolve(standing);
        },
      };
      const cancel = this.#timer.after(lookupMs, () => waiting.answer(this.#kept(hash)?.standing));
      this.#waiting.push(waiting);
    });
    this.#asked.set(hash, asked);
    if (this.#waiting.length > maxLookupsWaiting) this.#waiting.shift()?.answer(undefined);
    this.#next();
    return asked;
  }

  #next(): void {
    while (this.#running < this.#limits.maxLookups) {
      const next = this.#waiting.pop();
      if (next === undefined) return;
      if (next.isAnswered) continue;
      this.#running++;
      void this.#run(next);
    }
  }

  async #run({ hash, answer }: Waiting): Promise<void> {
    const told = await this.#ask(hash);
    this.#running--;
    const nowMs = this.#timer.nowMs();
    const untilMs = nowMs + this.#limits.statusMs;
    const kept = told === undefined ? this.#kept(hash) : undefined;
    const { standing, saidMs } = kept ?? { standing: told, saidMs: nowMs };
    this.#answers.set(hash, { standing, saidMs, untilMs });
    answer(standing);
    this.#next();
  }

  /** That a gateway knew it a while ago: whoever makes the blocks next has it as well, or gets it again. */
  #kept(hash: Felt): Answer | undefined {
    const known = this.#answers.get(hash);
    const isKept =
      known?.standing?.kind === "known" &&
      this.#timer.nowMs() - known.saidMs < this.#limits.knownMs;
    return isKept ? known : undefined;
  }
}
