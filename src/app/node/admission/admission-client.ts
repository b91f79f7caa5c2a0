import {
  type AccountTransaction,
  type ClassContents,
  decodeTransaction,
  encodeUnhashed,
  senderAddressOf,
} from "#protocol/chain/index.ts";
import type { Felt, Outlet, Port } from "#base/primitives/index.ts";
import {
  type AdmissionReply,
  type AdmissionRequest,
  type DropOutcome,
  type FlushOutcome,
  type FromAdmission,
  type MempoolListing,
  type MempoolSelection,
  type PositionView,
  type Refusal,
  type ReportedRejection,
  type SubmitOutcome,
  type ToAdmission,
  NOTHING_LISTED,
} from "#services/admission/index.ts";
import type { MempoolLookup, SubmitClient, WaitingTransaction } from "#api/rpc/index.ts";
import type { AdmissionEnds, AdmissionEvents } from "./admission-ends.ts";
import { ids, OpenQuestions } from "../threads/open-questions.ts";
import { SlowLane } from "./slow-lane.ts";
import { SubmissionGates } from "./submission-gates.ts";

type SlowReply = Extract<AdmissionReply, { kind: "slow" }>;
type Found = Pick<Extract<AdmissionReply, { kind: "found" }>, "bytes" | "isInFlight" | "isAhead">;

/**
 * Where a received transaction stands: on its way to the executor; waiting for one with an earlier
 * nonce, which nobody has sent; or not in the mempool any more.
 */
export type Standing = "executable" | "ahead" | "gone";

/** The main thread's side of admission: submits transactions and looks into the mempool. */
export class AdmissionClient implements MempoolLookup {
  readonly #port: Port<FromAdmission, ToAdmission>;
  readonly #view: PositionView;
  readonly #events: AdmissionEvents;
  readonly #gates: SubmissionGates;
  readonly #slow: SlowLane;
  readonly #nextId = ids();
  readonly #finds = new OpenQuestions<Found>(this.#nextId);
  readonly #rejections = new OpenQuestions<string | null>(this.#nextId);
  readonly #judgements = new OpenQuestions<Refusal | null>(this.#nextId);
  readonly #listings = new OpenQuestions<MempoolListing>(this.#nextId);
  readonly #drops = new OpenQuestions<DropOutcome>(this.#nextId);
  readonly #flushes = new OpenQuestions<FlushOutcome | undefined>(this.#nextId);
  readonly #declared = new OpenQuestions<SubmitOutcome>(this.#nextId);
  /** What is asked while admission is away; `undefined` while it is there. */
  #held: (() => void)[] | undefined;
  #isWatching = false;
  readonly #rejectionListeners: ((rejections: readonly ReportedRejection[]) => void)[] = [];
  /** How often admission went away with questions that it had not answered. */
  #interruptions = 0;

  /**
   * @param view - what the main thread has seen: admission answers nothing older, and nothing that it
   *   answers is given out before the main thread has seen as much
   */
  constructor(
    { admission: port, validators }: AdmissionEnds,
    view: PositionView,
    events: AdmissionEvents,
  ) {
    this.#port = port;
    this.#view = view;
    this.#events = events;
    this.#slow = new SlowLane(events.validateSlowly);
    const toValidate = validators.length === 0 ? [port] : validators;
    this.#gates = new SubmissionGates({
      sends: toValidate.map(
        (end) => (id: number, bytes: Uint8Array) =>
          this.#sendTo(end, { kind: "submit", id, bytes }),
      ),
      hasAccount: events.hasAccount,
      nowMs: () => performance.now(),
      nextId: this.#nextId,
    });
    port.listen((message) => {
      const reached = view.reach(message.position);
      if (reached === undefined || message.kind === "validated") this.#take(message);
      // In time or not: an answer that was given by a durable mempool is never kept back for good.
      else void reached.then(() => this.#take(message));
    });
  }

  async submit(transaction: AccountTransaction, { address }: SubmitClient): Promise<SubmitOutcome> {
    const submitter = { sender: senderAddressOf(transaction), client: address };
    // The hash is computed by admission; the encoding has a place for it.
    const outcome = await this.#gates.submit(submitter, encodeUnhashed(transaction));
    if (outcome.kind === "rejected") {
      this.#events.onRefused(outcome.retryAfterSeconds === undefined ? outcome.code : "BUSY");
    }
    return outcome;
  }

  /** Somebody hears what happens to transactions before they are executed, or nobody does any more. */
  watch(isWanted: boolean): void {
    this.#isWatching = isWanted;
    this.#send({ kind: "watch", id: this.#nextId(), isWanted });
  }

  /** What admission has against a declaration, encoded with its hash, before it is compiled. */
  judge(bytes: Uint8Array, classSizeBytes: number): Promise<Refusal | null> {
    return this.#judgements.ask((id) =>
      this.#send({ kind: "mayDeclare", id, bytes, classSizeBytes }),
    );
  }

  /** Puts a declaration into the mempool that is validated and compiled. */
  submitDeclared(bytes: Uint8Array, declared: ClassContents): Promise<SubmitOutcome> {
    const validation = { prevalidated: null };
    return this.#declared.ask((id) =>
      this.#send({ kind: "submit", id, bytes, validation, declared }),
    );
  }

  /** Answers submissions that were not handed on, now and from now on, that the node is stopping. */
  stop(): void {
    this.#gates.stop();
  }

  /** Keeps back what is asked, until {@link release}. */
  hold(): void {
    this.#held ??= [];
  }

  /**
   * Admission is gone with what it was asked and has not answered: it never will. Submissions are
   * refused, for their senders have to know the new chain; what changes nothing, or the same whenever
   * it is done, is asked again.
   */
  interrupt(): void {
    this.#interruptions++;
    this.#gates.interrupt(INTERRUPTED);
    this.#declared.answerAll(INTERRUPTED);
    this.#judgements.answerAll(INTERRUPTED);
    this.#finds.askAgain();
    this.#rejections.askAgain();
    this.#listings.askAgain();
    this.#drops.askAgain();
    this.#flushes.answerAll(undefined);
  }

  /** Admission is gone for good: its mempool counts as empty, and submissions have to be sent again. */
  close(): void {
    this.#held = undefined;
    this.#gates.stop(INTERRUPTED);
    this.#gates.interrupt(INTERRUPTED);
    this.#declared.answerAll(INTERRUPTED);
    this.#judgements.answerAll(INTERRUPTED);
    this.#finds.answerAll({ bytes: null, isInFlight: false, isAhead: false });
    this.#rejections.answerAll(null);
    this.#listings.answerAll(NOTHING_LISTED);
    this.#drops.answerAll("unknown");
  }

  /** Admission is there again, and is asked what was kept back. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    if (this.#isWatching) this.#send({ kind: "watch", id: this.#nextId(), isWanted: true });
    for (const send of held) send();
  }

  /** Tells of transactions that are not going to be included, after whoever else is told. */
  onRejected(listener: (rejections: readonly ReportedRejection[]) => void): void {
    this.#rejectionListeners.push(listener);
  }

  /** Where a received transaction stands. What has left the mempool for a block can be seen there. */
  async standingOf(transactionHash: Felt): Promise<Standing> {
    const { bytes, isAhead } = await this.#ask(transactionHash);
    if (bytes === null) return "gone";
    return isAhead ? "ahead" : "executable";
  }

  async find(transactionHash: Felt): Promise<WaitingTransaction | undefined> {
    const { bytes, isInFlight } = await this.#ask(transactionHash);
    return bytes === null ? undefined : { ...decodeTransaction(bytes), isCandidate: isInFlight };
  }

  async rejectionOf(transactionHash: Felt): Promise<string | undefined> {
    const reason = await this.#rejections.ask((id) =>
      this.#send({ kind: "rejection", id, hash: transactionHash }),
    );
    return reason ?? undefined;
  }

  /** Waiting transactions in the order of their arrival, `offset` of them passed over. */
  list(offset: number, limit: number, selection: MempoolSelection = {}): Promise<MempoolListing> {
    return this.#listings.ask((id) => this.#send({ kind: "list", id, offset, limit, selection }));
  }

  /** Drops a waiting transaction; settles when that is durable. */
  drop(hash: Felt): Promise<DropOutcome> {
    return this.#drops.ask((id) => this.#send({ kind: "drop", id, hash }));
  }

  /**
   * Drops the waiting transactions that are meant; settles when that is durable.
   *
   * @returns `undefined` when admission was interrupted: some may be left
   */
  flush(selection: MempoolSelection): Promise<FlushOutcome | undefined> {
    return this.#flushes.ask((id) => this.#send({ kind: "flush", id, selection }));
  }

  #ask(hash: Felt): Promise<Found> {
    return this.#finds.ask((id) => this.#send({ kind: "find", id, hash }));
  }

  #take(message: AdmissionReply): void {
    switch (message.kind) {
      case "validated":
        this.#gates.validated(message.id, message.costMs);
        break;
      case "slow":
        void this.#validateSlowly(message);
        break;
      case "submitted":
        // Numbers are shared: each finds the one that asked.
        for (const { id, outcome } of message.outcomes) {
          this.#gates.settled(id, outcome);
          this.#declared.answer(id, outcome);
        }
        break;
      case "declareJudged":
        this.#judgements.answer(message.id, message.refusal);
        break;
      case "found":
        this.#finds.answer(message.id, message);
        break;
      case "rejectionFound":
        this.#rejections.answer(message.id, message.reason);
        break;
      case "listed":
        this.#listings.answer(message.id, message.listing);
        break;
      case "dropped":
        return this.#drops.answer(message.id, message.outcome);
      case "flushed":
        return this.#flushes.answer(message.id, message.outcome);
      case "rejected":
        this.#events.onRejected(message.rejections);
        for (const listener of this.#rejectionListeners) listener(message.rejections);
        break;
      case "handed":
        this.#events.onHanded(
          message.handed.map(({ hash, bytes, isAgain }) => ({
            hash,
            isAgain,
            bytes,
            transaction: () => decodeTransaction(bytes),
          })),
        );
        break;
      case "mempoolSize":
        return this.#events.onSize(message.waiting);
    }
  }

  /** Has a long validation done elsewhere; then admission goes on with the submission, or it is refused. */
  async #validateSlowly({ id, bytes, senderIsToBeDeployed }: SlowReply): Promise<void> {
    const interruptions = this.#interruptions;
    const outcome = await this.#slow.run(bytes, senderIsToBeDeployed);
    // Whoever sent it has been answered.
    if (interruptions !== this.#interruptions) return;
    if (outcome.kind === "rejected") {
      this.#gates.settled(id, outcome);
      this.#send({ kind: "slowRefused", id });
    } else this.#send({ kind: "submit", id, bytes, validation: outcome });
  }

  #send(message: AdmissionRequest): void {
    this.#sendTo(this.#port, message);
  }

  #sendTo<Message extends AdmissionRequest>(
    port: Outlet<Message & Pick<ToAdmission, "position">>,
    message: Message,
  ): void {
    if (this.#held !== undefined) this.#held.push(() => this.#sendTo(port, message));
    else port.send({ ...message, position: this.#view.position });
  }
}

/** The answer to a submission that was under way when the chain was reverted. */
export const INTERRUPTED = {
  kind: "rejected",
  code: "UNEXPECTED_ERROR",
  reason: "the chain was reverted to an earlier block meanwhile: send it again",
  retryAfterSeconds: 1,
} as const satisfies SubmitOutcome;
