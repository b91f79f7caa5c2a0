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

/** What handing a mempool over works with. */
export interface HandOverDeps {
  /** Of a node that makes no blocks. */
  readonly mempool: Pick<MempoolStore, "loadAll" | "declaredClass" | "write">;
  readonly chain: Pick<ChainReader, "locate">;
  /** Of whoever makes the blocks. */
  readonly gateway: Pick<GatewayClient, "addTransaction">;
  /** Ends it, whatever is still there; `null`: it goes on until nothing is. */
  readonly deadlineMs: number | null;
  readonly timer: Timer;
  /** Unix milliseconds. */
  readonly unixNowMs: () => number;
  /** Ends it; from then on the mempool is not touched. */
  readonly signal: AbortSignal;
}

/** What became of the transactions that waited. */
export interface HandedOver {
  /** The other sequencer has taken them. */
  readonly sent: number;
  /** It had them, or a block has them. */
  readonly known: number;
  /** It has refused them again and again: its reason is kept in their place. */
  readonly refused: number;
  /** They still wait here. */
  readonly kept: number;
}

/** Accounts whose transactions are under way at a time, and most of one. */
const MAX_SENDERS = 8;
const MAX_OF_SENDER = 8;
/** Pause before what was not taken is sent again, and the longest while nothing is taken. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;
/** How often a transaction has to be refused: what it builds on may be on its way there. */
const MAX_REFUSALS = 3;

/**
 * Hands what waits in a mempool to the sequencer that makes the blocks: of each account in the order of
 * nonces, accounts in the order in which they came, declarations with their classes. A transaction
 * leaves the mempool once somebody else answers for it, or does not take it; what nobody has decided
 * about stays.
 */
export async function handOver(deps: HandOverDeps): Promise<HandedOver> {
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

/** What of an account's transactions is sent at once, behind those that were not taken. */
function atOnce(queue: readonly WaitingTransaction[], kept: number): readonly WaitingTransaction[] {
  const some = queue.slice(kept, kept + MAX_OF_SENDER);
  const alone = some.findIndex(({ mayPrecede }) => !mayPrecede);
  return alone < 0 ? some : some.slice(0, Math.max(1, alone));
}

/** What a reply means for a transaction. */
type Fate =
  | { readonly kind: "sent" | "known" }
  | { readonly kind: "refused"; readonly reason: string }
  /** It was not taken, and is sent again after those behind it. */
  | { readonly kind: "again" }
  /** Nobody has looked at it: nor would anybody look at those behind it. */
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

  async run(): Promise<HandedOver> {
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

  /** Sends everything once. */
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
      const told = await Promise.race([replies, this.#end]);
      if (told === undefined) return;
      some.forEach((waiting, i) => {
        const fate = fateOf(told[i] as SubmissionReply, waiting, kept > 0);
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

/** @param hasEarlier - whether one of the same account stands before it that was not taken either */
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
