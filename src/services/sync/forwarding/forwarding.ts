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

/** What handing on works with. */
export interface ForwardingDeps {
  /** The chain id as a short string felt. */
  readonly chainId: Felt;
  readonly gateway: Pick<GatewayClient, "addTransaction" | "transactionStatus">;
  /** Where a transaction stands on the chain; `undefined`: no block that is known here has it. */
  readonly inclusionOf: (hash: Felt) => Inclusion | undefined;
  /** The gateway has taken a transaction that is in no block yet. */
  readonly onTaken: (hash: Felt) => void;
  readonly limits: ForwardingLimits;
  readonly timer: Timer;
}

/** A transaction that a gateway took from here. */
export interface HandedOn {
  readonly hash: Felt;
  /** The transaction with its hash, encoded. */
  readonly bytes: Uint8Array;
  /** A declaration as it was sent, with its class; `undefined`: it is none. */
  readonly bodyJson: string | undefined;
}

/** A transaction that is received and in no block that is known here. */
export type ForwardedTransaction =
  | (HashedTransaction & { readonly isCandidate: boolean })
  /** Handed on by somebody else: its content is not known here. */
  | { readonly hash: Felt; readonly transaction: undefined; readonly isCandidate: boolean };

/**
 * Hands transactions on to the sequencer, and answers for those that wait there: what a full node has in
 * the place of admission and a mempool. Nothing of it is stored: the sequencer answers only for what it
 * has stored.
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

  /** Hands on an invocation or an account's deployment. */
  async submit(transaction: AccountTransaction): Promise<SubmitAnswer> {
    if (transaction.type === "DECLARE") return WITHOUT_CLASS;
    const sender = senderAddressOf(transaction);
    const sent = await this.#turns.run(sender, async () => {
      const reply = this.#send(await bodyOfTransaction(transaction));
      // Beside the gateway's work: whoever submits does not wait for it.
      const hash = transactionHash(transaction, this.#deps.chainId);
      return { hash, reply: await reply };
    });
    if (sent === undefined) return this.#answerOf(sent);
    const { hash, reply } = sent;
    if (reply.kind !== "taken" && !isOwnDuplicate(reply)) return this.#answerOf(reply);
    const told = reply.kind === "taken" ? reply.transactionHash : hash;
    const refusal = this.#remember({ hash, transaction }, told, undefined);
    if (refusal !== undefined) return refusal;
    return transaction.type === "DEPLOY_ACCOUNT"
      ? accepted(hash, { contractAddress: transaction.contractAddress })
      : accepted(hash, {});
  }

  /**
   * Hands on a declaration with the class as it was sent. The hash of the transaction is checked with the
   * class hash that the gateway tells: hashing the class would take this thread too long.
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

  /** Writing a class takes long, and one that is held is attempted again and again. */
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
    if (classHash === undefined) return undecided("the gateway does not tell the class hash");
    const whole = { ...transaction, classHash };
    const own = transactionHash(whole, this.#deps.chainId);
    const refusal = this.#remember({ hash: own, transaction: whole }, hash, bodyJson);
    return refusal ?? accepted(hash, { classHash });
  }

  /** A transaction that waits at the sequencer; one that this node did not hand on is asked after. */
  async find(hash: Felt): Promise<ForwardedTransaction | undefined> {
    const own = this.#received.get(hash);
    if (own !== undefined) return { ...transactionOf(own), isCandidate: false };
    if (this.#doubts.reasonOf(hash) !== undefined) return undefined;
    const standing = await this.#lookup.of(hash);
    if (standing?.kind !== "known") return undefined;
    return { hash, transaction: undefined, isCandidate: standing.isCandidate };
  }

  /** Why a transaction that was received is not going to be included. */
  async rejectionOf(hash: Felt): Promise<string | undefined> {
    const reason = this.#doubts.reasonOf(hash);
    if (reason !== undefined) return reason;
    if (this.#received.get(hash) !== undefined) return undefined;
    const standing = await this.#lookup.of(hash);
    return standing?.kind === "rejected" ? standing.reason : undefined;
  }

  /** What no accepted block has, in the order in which it was handed on. */
  handedOn(): readonly HandedOn[] {
    const { inclusionOf } = this.#deps;
    return this.#received.all().filter(({ hash }) => inclusionOf(hash) !== "accepted");
  }

  /** How many transactions are remembered. */
  get size(): number {
    return this.#received.size;
  }

  /**
   * Answers whoever waits for a turn, now and from now on; the gateway's client ends the others.
   *
   * @param isChange - the node goes on, and takes transactions itself
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
   * @param told - the hash that the gateway tells
   * @returns what is wrong with its answer
   */
  #remember(
    { hash, transaction }: HashedTransaction<AccountTransaction>,
    told: Felt,
    bodyJson: string | undefined,
  ): SubmitAnswer | undefined {
    if (hash !== told) {
      const hashes = `${hexFromFelt(told)}, which has ${hexFromFelt(hash)}`;
      return undecided(`the gateway answers with another transaction's hash ${hashes}`);
    }
    // A block may have come before the answer.
    const inclusion = this.#deps.inclusionOf(hash);
    if (!this.#isStopped && inclusion !== "accepted") {
      this.#doubts.add(this.#received.add({ hash, transaction }, bodyJson));
      if (inclusion === undefined) this.#deps.onTaken(hash);
    }
    return undefined;
  }

  async #resend(entry: Received): Promise<SubmitRefusal | undefined> {
    const { bodyJson } = entry;
    const { transaction } = transactionOf(entry);
    // What is remembered was sent by an account.
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

/** Whether it is refused for what another gateway did with it a moment ago. */
function isOwnDuplicate(reply: SubmissionReply): boolean {
  if (reply.kind !== "refused" || reply.wasSentBefore !== true) return false;
  return submitRefusal(reply).code === "DUPLICATE_TX";
}

async function bodyOfTransaction(
  transaction: InvokeTransaction | DeployAccountTransaction,
): Promise<string> {
  return stringifyJson(await writeAddTransaction({ kind: "transaction", transaction }));
}

/** The body that a declaration is handed on with, or why there is none. */
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
  reason: `the node is busy: many transactions wait to be handed on; try again in ${RETRY_SECONDS} s`,
  retryAfterSeconds: RETRY_SECONDS,
};
