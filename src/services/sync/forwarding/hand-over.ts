import { stringifyJson } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import type { Felt, Timer } from "#base/primitives/index.ts";
import type { ChainReader } from "#engine/state/index.ts";
import { type GatewayClient, type SubmissionReply, writeAddTransaction } from "#io/feeder/index.ts";
import { pause } from "#io/http/index.ts";
import type { MempoolStore } from "#io/storage/index.ts";
import { decodeTransaction } from "#protocol/chain/index.ts";
import { submitRefusal } from "./gateway-codes.ts";
import { outgoingOf } from "./outgoing.ts";
import { type WaitingTransaction, waitingQueues } from "./waiting-queues.ts";

/** Dependencies of {@link handOver}. */
export interface HandOverDeps {
  /** Mempool of a node that makes no blocks. */
  readonly mempool: Pick<MempoolStore, "loadAll" | "declaredClass" | "write">;
  readonly chain: Pick<ChainReader, "locate">;
  /** Gateway of the sequencer that makes the blocks. */
  readonly gateway: Pick<GatewayClient, "addTransaction">;
  /** Deadline, even if transactions are left; `null` to continue until the mempool is empty. */
  readonly deadlineMs: number | null;
  readonly timer: Timer;
  readonly unixNowMs: () => number;
  /** Cancels the handover; the mempool is not touched afterwards. */
  readonly signal: AbortSignal;
}

/** Outcome of a handover, in transactions. */
export interface HandOverCounts {
  /** Accepted by the other sequencer. */
  readonly sent: number;
  /** Already known to the other sequencer, or included in a block. */
  readonly known: number;
  /** Refused repeatedly by the other sequencer; the mempool keeps its reason instead of the transaction. */
  readonly refused: number;
  /** Still in the local mempool. */
  readonly kept: number;
}

/** Maximum number of accounts handled concurrently. */
const MAX_SENDERS = 8;
/** Maximum number of transactions of one account in flight. */
const MAX_OF_SENDER = 8;
/** Pause before transactions that were not accepted are sent again. */
const PAUSE_MS = 1_000;
/** Upper limit of the pause, which doubles while nothing is accepted. */
const LONGEST_PAUSE_MS = 5_000;
/** Number of refusals before one is final: transactions that it builds on may still be in flight. */
const MAX_REFUSALS = 3;

/**
 * Forwards a mempool to the sequencer that makes the blocks: the transactions of each account by nonce,
 * accounts in the order of arrival, declarations with their classes. A transaction leaves the mempool once
 * the other sequencer has accepted or refused it; undecided ones stay.
 */
export async function handOver(deps: HandOverDeps): Promise<HandOverCounts> {
  const { timer, deadlineMs, signal } = deps;
  const ended = new AbortController();
  const end = (): void => ended.abort();
  const cancel = deadlineMs === null ? undefined : timer.after(deadlineMs, end);
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  try {
    return await new HandOver(deps, ended.signal).run();
  } finally {
    cancel?.();
    signal.removeEventListener("abort", end);
  }
}

/** Returns the transactions of an account to send concurrently, after those that were not accepted. */
function atOnce(queue: readonly WaitingTransaction[], kept: number): readonly WaitingTransaction[] {
  const some = queue.slice(kept, kept + MAX_OF_SENDER);
  const alone = some.findIndex(({ mayPrecede }) => !mayPrecede);
  return alone < 0 ? some : some.slice(0, Math.max(1, alone));
}

/** Meaning of a reply for a transaction. */
type Fate =
  | { readonly kind: "sent" | "known" }
  | { readonly kind: "refused"; readonly reason: string }
  /** Not accepted; it is sent again after those behind it. */
  | { readonly kind: "again" }
  /** Not processed by the sequencer, which would not process those behind it either. */
  | { readonly kind: "undecided" };

class HandOver {
  readonly #deps: HandOverDeps;
  readonly #ended: AbortSignal;
  readonly #end: Promise<undefined>;
  readonly #counts = { sent: 0, known: 0, refused: 0 };
  #queues: WaitingTransaction[][] = [];

  constructor(deps: HandOverDeps, ended: AbortSignal) {
    this.#deps = deps;
    this.#ended = ended;
    this.#end = new Promise((resolve) => {
      ended.addEventListener("abort", () => resolve(undefined));
    });
  }

  async run(): Promise<HandOverCounts> {
    if (!this.#ended.aborted) this.#load();
    let pauseMs = PAUSE_MS;
    while (this.#queues.length > 0 && !this.#ended.aborted) {
      const before = this.#left;
      await this.#sendAll();
      this.#queues = this.#queues.filter(({ length }) => length > 0);
      if (this.#queues.length === 0) break;
      pauseMs = this.#left < before ? PAUSE_MS : Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
      await pause(this.#deps.timer, this.#ended, pauseMs);
    }
    return { ...this.#counts, kept: this.#left };
  }

  get #left(): number {
    return this.#queues.reduce((sum, { length }) => sum + length, 0);
  }

  #load(): void {
    const { mempool, chain } = this.#deps;
    const entries = mempool.loadAll();
    const included = entries.filter(({ hash }) => chain.locate(hash) !== undefined);
    mempool.write({ remove: included.map(({ hash }) => hash) });
    this.#counts.known += included.length;
    const isIncluded = new Set(included);
    this.#queues = waitingQueues(entries.filter((entry) => !isIncluded.has(entry)));
  }

  /** Sends each transaction once. */
  async #sendAll(): Promise<void> {
    const queues = this.#queues.values();
    const lane = async (): Promise<void> => {
      for (const queue of queues) await this.#send(queue);
    };
    await Promise.all(Array.from({ length: MAX_SENDERS }, lane));
  }

  async #send(queue: WaitingTransaction[]): Promise<void> {
    for (let kept = 0, isUndecided = false; !isUndecided && !this.#ended.aborted;) {
      const some = atOnce(queue, kept);
      if (some.length === 0) return;
      const replies = Promise.all(some.map((waiting) => this.#replyTo(waiting)));
      const received = await Promise.race([replies, this.#end]);
      if (received === undefined) return;
      some.forEach((waiting, i) => {
        const fate = fateOf(received[i] as SubmissionReply, waiting, kept > 0);
        if (fate.kind === "undecided") isUndecided = true;
        if (fate.kind === "undecided" || fate.kind === "again") kept++;
        else {
          queue.splice(kept, 1);
          this.#settle(waiting.hash, fate);
        }
      });
    }
  }

  #settle(
    hash: Felt,
    fate: Exclude<Fate, { readonly kind: "again" } | { readonly kind: "undecided" }>,
  ): void {
    const { mempool, unixNowMs } = this.#deps;
    this.#counts[fate.kind]++;
    if (fate.kind !== "refused") mempool.write({ remove: [hash] });
    else {
      const { reason } = fate;
      mempool.write({ reject: [{ hash, cause: "rejected", reason, rejectedAtMs: unixNowMs() }] });
    }
  }

  async #replyTo({ hash, bytes }: WaitingTransaction): Promise<SubmissionReply> {
    const { mempool, gateway } = this.#deps;
    const { transaction } = decodeTransaction(bytes);
    const isDeclaration = transaction.type === "DECLARE";
    try {
      const declared = isDeclaration ? mempool.declaredClass(hash) : undefined;
      const sent = await writeAddTransaction(await outgoingOf(transaction, declared));
      return await gateway.addTransaction(stringifyJson(sent), isDeclaration);
    } catch (cause) {
      if (!(cause instanceof DecodeError)) throw cause;
      return { kind: "unreachable", message: cause.message };
    }
  }
}

/** @param hasEarlier - whether an earlier transaction of the same account was not accepted either */
function fateOf(reply: SubmissionReply, waiting: WaitingTransaction, hasEarlier: boolean): Fate {
  if (reply.kind === "unreachable") return { kind: "undecided" };
  if (reply.kind === "taken") {
    return { kind: reply.transactionHash === waiting.hash ? "sent" : "undecided" };
  }
  const { code, reason, retryAfterSeconds } = submitRefusal(reply);
  if (retryAfterSeconds !== undefined) return { kind: "undecided" };
  if (code === "DUPLICATE_TX") return { kind: "known" };
  // There may be room later.
  if (code === "UNEXPECTED_ERROR") return { kind: "again" };
  if (code === "INVALID_TRANSACTION_NONCE" && hasEarlier) return { kind: "again" };
  return ++waiting.refusals < MAX_REFUSALS ? { kind: "again" } : { kind: "refused", reason };
}
