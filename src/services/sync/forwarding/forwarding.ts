import { stringifyJson } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt, type Timer } from "#base/primitives/index.ts";
import {
  type GatewayClient,
  type OutgoingTransaction,
  type SubmissionReply,
  writeAddTransaction,
} from "#io/feeder/index.ts";
import {
  type AccountTransaction,
  type DeployAccountTransaction,
  type HashedTransaction,
  type InvokeTransaction,
  senderAddressOf,
  transactionHash,
} from "#protocol/chain/index.ts";
import type { Declaration } from "#services/admission/index.ts";
import { Doubts, type Inclusion } from "./doubts.ts";
import { type SubmitAnswer, type SubmitRefusal, submitRefusal } from "./gateway-codes.ts";
import type { ForwardingLimits } from "./limits.ts";
import { type Received, ReceivedTransactions, transactionOf } from "./received.ts";
import { StatusLookup, statusQuestion } from "./status-lookup.ts";
import { Turns } from "./turns.ts";

/** Dependencies of {@link Forwarding}. */
export interface ForwardingDeps {
  /** The chain id as a short string felt. */
  readonly chainId: Felt;
  readonly gateway: Pick<GatewayClient, "addTransaction" | "transactionStatus">;
  /** Returns the state of a transaction on the chain; `undefined` if no known block contains it. */
  readonly inclusionOf: (hash: Felt) => Inclusion | undefined;
  /** Called when the gateway has accepted a transaction that is in no block yet. */
  readonly onForwarded: (hash: Felt) => void;
  readonly limits: ForwardingLimits;
  readonly timer: Timer;
}

/** Transaction that a gateway accepted from this node. */
export interface ForwardedSubmission {
  readonly hash: Felt;
  /** The transaction with its hash, encoded. */
  readonly bytes: Uint8Array;
  /** Request body of a declaration, with its class; `undefined` for other transactions. */
  readonly bodyJson: string | undefined;
}

/** Transaction that a sequencer has received and no known block contains. */
export type ForwardedTransaction =
  | (HashedTransaction & { readonly isCandidate: boolean })
  /** Forwarded by another node: its content is unknown here. */
  | { readonly hash: Felt; readonly transaction: undefined; readonly isCandidate: boolean };

/**
 * Forwards transactions to the sequencer, and answers queries about those that wait there: a full node's
 * counterpart of admission and mempool. Nothing is stored here, since the sequencer acknowledges a
 * transaction only once it has stored it.
 */
export class Forwarding {
  readonly #deps: ForwardingDeps;
  readonly #received: ReceivedTransactions;
  readonly #doubts: Doubts;
  readonly #lookup: StatusLookup;
  readonly #turns: Turns;
  readonly #declareTurns: Turns;
  readonly #bodies = new WeakMap<Declaration, Promise<string | SubmitRefusal>>();
  #isStopped = false;
  #isChange = false;

  constructor(deps: ForwardingDeps) {
    const { gateway, limits, timer } = deps;
    this.#deps = deps;
    const ask = statusQuestion(gateway);
    this.#received = new ReceivedTransactions(limits, timer);
    this.#lookup = new StatusLookup(ask, limits, timer);
    const { maxSubmitting, maxWaiting, maxDeclaring, maxDeclarationsWaiting } = limits;
    const { maxWaitingOfSender: maxOfSender } = limits;
    this.#turns = new Turns(maxSubmitting, maxWaiting, maxOfSender);
    this.#declareTurns = new Turns(maxDeclaring, maxDeclarationsWaiting, maxOfSender);
    const resend = (entry: Received) => this.#resend(entry);
    this.#doubts = new Doubts({ ...deps, received: this.#received, ask, resend });
  }

  /** Forwards an invocation or an account deployment. */
  async submit(transaction: AccountTransaction): Promise<SubmitAnswer> {
    if (transaction.type === "DECLARE") return WITHOUT_CLASS;
    const sender = senderAddressOf(transaction);
    const sent = await this.#turns.run(sender, async () => {
      const reply = this.#send(await bodyOfTransaction(transaction));
      // Hash while the gateway works, so that the client does not wait for it.
      const hash = transactionHash(transaction, this.#deps.chainId);
      return { hash, reply: await reply };
    });
    if (sent === undefined) return this.#answerOf(sent);
    const { hash, reply } = sent;
    if (reply.kind !== "taken" && !isOwnDuplicate(reply)) return this.#answerOf(reply);
    const reported = reply.kind === "taken" ? reply.transactionHash : hash;
    const refusal = this.#remember({ hash, transaction }, reported, undefined);
    if (refusal !== undefined) return refusal;
    return transaction.type === "DEPLOY_ACCOUNT"
      ? accepted(hash, { contractAddress: transaction.contractAddress })
      : accepted(hash, {});
  }

  /**
   * Forwards a declaration with the class as it was sent. The transaction hash is verified with the class
   * hash that the gateway reports: hashing the class would block this thread for too long.
   */
  async declare(declaration: Declaration): Promise<SubmitAnswer> {
    const { senderAddress } = declaration.transaction;
    const sent = await this.#declareTurns.run(senderAddress, async () => {
      const bodyJson = await this.#bodyOf(declaration);
      if (typeof bodyJson !== "string") return bodyJson;
      return { bodyJson, reply: await this.#deps.gateway.addTransaction(bodyJson, true) };
    });
    if (sent === undefined) return this.#answerOf(sent);
    return "kind" in sent ? sent : this.#declared(declaration, sent.bodyJson, sent.reply);
  }

  /** Returns the request body, cached: encoding a class is slow, and held declarations are retried. */
  #bodyOf(declaration: Declaration): Promise<string | SubmitRefusal> {
    const known = this.#bodies.get(declaration);
    if (known !== undefined) return known;
    const body = bodyOf({ kind: "declaration", declaration });
    this.#bodies.set(declaration, body);
    return body;
  }

  #declared({ transaction }: Declaration, bodyJson: string, reply: SubmissionReply): SubmitAnswer {
    if (reply.kind !== "taken") return this.#answerOf(reply);
    const { transactionHash: hash, classHash } = reply;
    if (classHash === undefined) return undecided("the gateway's response has no class hash");
    const whole = { ...transaction, classHash };
    const own = transactionHash(whole, this.#deps.chainId);
    const refusal = this.#remember({ hash: own, transaction: whole }, hash, bodyJson);
    return refusal ?? accepted(hash, { classHash });
  }

  /** Finds a transaction that waits at the sequencer; queries the gateway unless this node forwarded it. */
  async find(hash: Felt): Promise<ForwardedTransaction | undefined> {
    const own = this.#received.get(hash);
    if (own !== undefined) return { ...transactionOf(own), isCandidate: false };
    if (this.#doubts.reasonOf(hash) !== undefined) return undefined;
    const verdict = await this.#lookup.of(hash);
    if (verdict?.kind !== "known") return undefined;
    return { hash, transaction: undefined, isCandidate: verdict.isCandidate };
  }

  /** Returns why a received transaction will not be included. */
  async rejectionOf(hash: Felt): Promise<string | undefined> {
    const reason = this.#doubts.reasonOf(hash);
    if (reason !== undefined) return reason;
    if (this.#received.get(hash) !== undefined) return undefined;
    const verdict = await this.#lookup.of(hash);
    return verdict?.kind === "rejected" ? verdict.reason : undefined;
  }

  /** Returns forwarded transactions that no accepted block contains, in the order of forwarding. */
  forwardedSubmissions(): readonly ForwardedSubmission[] {
    const { inclusionOf } = this.#deps;
    return this.#received.all().filter(({ hash }) => inclusionOf(hash) !== "accepted");
  }

  get size(): number {
    return this.#received.size;
  }

  /**
   * Rejects submissions that wait for a slot, and all future ones; the gateway's client aborts those in
   * flight.
   *
   * @param isChange - whether the node keeps running and accepts transactions itself
   */
  stop(isChange: boolean): void {
    this.#isStopped = true;
    this.#isChange = isChange;
    this.#turns.dismiss();
    this.#declareTurns.dismiss();
    this.#lookup.stop();
    this.#doubts.stop();
  }

  #send(bodyJson: string): Promise<SubmissionReply> {
    return this.#deps.gateway.addTransaction(bodyJson, false);
  }

  /**
   * Tracks a transaction that the gateway accepted.
   *
   * @param reported - transaction hash that the gateway reported
   * @returns an answer if the gateway's response is inconsistent
   */
  #remember(
    { hash, transaction }: HashedTransaction<AccountTransaction>,
    reported: Felt,
    bodyJson: string | undefined,
  ): SubmitAnswer | undefined {
    if (hash !== reported) {
      const hashes = `${hexFromFelt(reported)}, expected ${hexFromFelt(hash)}`;
      return undecided(`the gateway answers with the hash of another transaction: ${hashes}`);
    }
    // A block may have arrived before the response.
    const inclusion = this.#deps.inclusionOf(hash);
    if (!this.#isStopped && inclusion !== "accepted") {
      this.#doubts.add(this.#received.add({ hash, transaction }, bodyJson));
      if (inclusion === undefined) this.#deps.onForwarded(hash);
    }
    return undefined;
  }

  async #resend(entry: Received): Promise<SubmitRefusal | undefined> {
    const { bodyJson } = entry;
    const { transaction } = transactionOf(entry);
    // Only transactions sent by accounts are tracked.
    const sent = transaction as InvokeTransaction | DeployAccountTransaction;
    const sender = senderAddressOf(sent);
    const reply =
      bodyJson === undefined
        ? await this.#turns.run(sender, async () => this.#send(await bodyOfTransaction(sent)))
        : await this.#declareTurns.run(sender, () =>
            this.#deps.gateway.addTransaction(bodyJson, true),
          );
    return reply?.kind === "refused" ? submitRefusal(reply) : undefined;
  }

  #answerOf(reply: Exclude<SubmissionReply, { kind: "taken" }> | undefined): SubmitAnswer {
    if (reply === undefined) {
      if (this.#isChange) return CHANGING;
      return this.#isStopped ? STOPPING : BUSY;
    }
    if (reply.kind === "refused") return submitRefusal(reply);
    return { ...undecided(reply.message), lost: reply.isUnsent === true ? "unsent" : "unanswered" };
  }
}

/** Whether a refusal is only due to our own earlier attempt through another gateway. */
function isOwnDuplicate(reply: SubmissionReply): boolean {
  if (reply.kind !== "refused" || reply.wasSentBefore !== true) return false;
  return submitRefusal(reply).code === "DUPLICATE_TX";
}

async function bodyOfTransaction(
  transaction: InvokeTransaction | DeployAccountTransaction,
): Promise<string> {
  return stringifyJson(await writeAddTransaction({ kind: "transaction", transaction }));
}

/** Returns the request body of a declaration, or the refusal if it cannot be encoded. */
async function bodyOf(sent: OutgoingTransaction): Promise<string | SubmitRefusal> {
  try {
    return stringifyJson(await writeAddTransaction(sent));
  } catch (cause) {
    if (!(cause instanceof DecodeError)) throw cause;
    return { kind: "rejected", code: "COMPILATION_FAILED", reason: cause.message };
  }
}

function accepted(
  hash: Felt,
  more: { readonly contractAddress?: Felt; readonly classHash?: Felt },
): SubmitAnswer {
  return { kind: "accepted", transactionHash: hash, ...more };
}

function undecided(reason: string): Extract<SubmitAnswer, { readonly kind: "undecided" }> {
  return { kind: "undecided", reason };
}

const WITHOUT_CLASS: SubmitAnswer = {
  kind: "rejected",
  code: "UNEXPECTED_ERROR",
  reason: "a declaration needs its class",
};

const STOPPING: SubmitAnswer = {
  kind: "rejected",
  code: "UNEXPECTED_ERROR",
  reason: "the node is stopping",
};

const RETRY_SECONDS = 2;

const CHANGING: SubmitAnswer = {
  kind: "rejected",
  code: "UNEXPECTED_ERROR",
  reason: `the node is about to make blocks itself: try again in ${RETRY_SECONDS} s`,
  retryAfterSeconds: RETRY_SECONDS,
};

const BUSY: SubmitAnswer = {
  kind: "rejected",
  code: "UNEXPECTED_ERROR",
  reason: `the node is busy: many transactions wait to be forwarded; try again in ${RETRY_SECONDS} s`,
  retryAfterSeconds: RETRY_SECONDS,
};
