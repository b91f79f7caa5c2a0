import { type Felt, RecentMap, type Timer } from "#base/primitives/index.ts";
import type { GatewayClient, GatewayTransactionStatus } from "#io/feeder/index.ts";
import type { ForwardingLimits } from "./limits.ts";

/** Gateway's status of a transaction. */
export type GatewayVerdict =
  /** The gateway knows the transaction, in any state. */
  | { readonly kind: "known"; readonly isCandidate: boolean }
  | { readonly kind: "rejected"; readonly reason: string }
  /** The gateway does not know the transaction. */
  | { readonly kind: "unknown" };

/** Requests the status of a transaction; `undefined` if the gateway did not answer. */
export type StatusQuestion = (hash: Felt) => Promise<GatewayVerdict | undefined>;

/** Creates the status request of a gateway. */
export function statusQuestion(gateway: Pick<GatewayClient, "transactionStatus">): StatusQuestion {
  return async (hash) => {
    const reply = await gateway.transactionStatus(hash);
    return reply.kind === "status" ? verdictOf(reply.status) : undefined;
  };
}

function verdictOf(reported: GatewayTransactionStatus): GatewayVerdict {
  const { finality, status, executionStatus, failureReason } = reported;
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
  readonly answer: (verdict: GatewayVerdict | undefined) => void;
}

/** Maximum number of cached responses; fewer if their reasons are long. */
const MAX_KNOWN = 10_000;
/** Maximum size of the cached reasons in characters. */
const MAX_KNOWN_CHARACTERS = 16 << 20;

/** Maximum length of a reason; a failed validation may include its whole trace. */
const MAX_REASON_CHARACTERS = 100_000;

interface Answer {
  readonly verdict: GatewayVerdict | undefined;
  readonly receivedMs: number;
  /** Time until which the response is cached. */
  readonly untilMs: number;
}

function sizeOf({ verdict }: Answer): number {
  const characters = verdict?.kind === "rejected" ? verdict.reason.length : 0;
  return Math.max(MAX_KNOWN_CHARACTERS / MAX_KNOWN, characters);
}

/**
 * Looks up the status of unknown hashes at the gateway. Clients may request many, including hashes that never
 * existed: the number of requests in flight is limited, the newest goes first, and each wait has a deadline,
 * after which the status is unknown.
 */
export class StatusLookup {
  readonly #ask: StatusQuestion;
  readonly #limits: ForwardingLimits;
  readonly #timer: Timer;
  readonly #answers = new RecentMap<Felt, Answer>(MAX_KNOWN_CHARACTERS, sizeOf);
  readonly #inFlight = new Map<Felt, Promise<GatewayVerdict | undefined>>();
  /** Waiting lookups, newest last. */
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #isStopped = false;

  constructor(ask: StatusQuestion, limits: ForwardingLimits, timer: Timer) {
    this.#ask = ask;
    this.#limits = limits;
    this.#timer = timer;
  }

  /** Returns the gateway's status; `undefined` if it is unknown or late. */
  of(hash: Felt): Promise<GatewayVerdict | undefined> {
    const known = this.#answers.get(hash);
    if (known !== undefined && this.#timer.nowMs() < known.untilMs) {
      return Promise.resolve(known.verdict);
    }
    if (this.#isStopped) return Promise.resolve(undefined);
    return this.#inFlight.get(hash) ?? this.#enqueue(hash);
  }

  stop(): void {
    this.#isStopped = true;
    for (const { answer } of this.#waiting.splice(0)) answer(undefined);
  }

  #enqueue(hash: Felt): Promise<GatewayVerdict | undefined> {
    const { lookupMs, maxLookupsWaiting } = this.#limits;
    const lookup = new Promise<GatewayVerdict | undefined>((resolve) => {
      const waiting: Waiting = {
        hash,
        isAnswered: false,
        answer: (verdict) => {
          if (waiting.isAnswered) return;
          waiting.isAnswered = true;
          cancel();
          this.#inFlight.delete(hash);
          resolve(verdict);
        },
      };
      const cancel = this.#timer.after(lookupMs, () => waiting.answer(this.#kept(hash)?.verdict));
      this.#waiting.push(waiting);
    });
    this.#inFlight.set(hash, lookup);
    if (this.#waiting.length > maxLookupsWaiting) this.#waiting.shift()?.answer(undefined);
    this.#next();
    return lookup;
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
    const reported = await this.#ask(hash);
    this.#running--;
    const nowMs = this.#timer.nowMs();
    const untilMs = nowMs + this.#limits.statusMs;
    const kept = reported === undefined ? this.#kept(hash) : undefined;
    const { verdict, receivedMs } = kept ?? { verdict: reported, receivedMs: nowMs };
    this.#answers.set(hash, { verdict, receivedMs, untilMs });
    answer(verdict);
    this.#next();
  }

  /** Returns a recent positive response: the next leader has the transaction, too, or receives it again. */
  #kept(hash: Felt): Answer | undefined {
    const known = this.#answers.get(hash);
    const isKept =
      known?.verdict?.kind === "known" &&
      this.#timer.nowMs() - known.receivedMs < this.#limits.knownMs;
    return isKept ? known : undefined;
  }
}
