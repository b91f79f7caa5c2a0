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
import { ids, PendingRequests } from "../threads/pending-requests.ts";
import { SlowLane } from "./slow-lane.ts";
import { SubmissionGates } from "./submission-gates.ts";

type SlowReply = Extract<AdmissionReply, { kind: "slow" }>;
type Found = Pick<Extract<AdmissionReply, { kind: "found" }>, "bytes" | "isInFlight" | "isAhead">;

/**
 * State of a received transaction: queued for execution, waiting for an earlier nonce that nobody has sent,
 * or no longer in the mempool.
 */
export type MempoolStatus = "executable" | "ahead" | "gone";

/** Main thread's client of admission: submits transactions and queries the mempool. */
export class AdmissionClient implements MempoolLookup {
  readonly #port: Port<FromAdmission, ToAdmission>;
  readonly #view: PositionView;
  readonly #events: AdmissionEvents;
  readonly #gates: SubmissionGates;
  readonly #slow: SlowLane;
  readonly #nextId = ids();
  readonly #finds = new PendingRequests<Found>(this.#nextId);
  readonly #rejections = new PendingRequests<string | null>(this.#nextId);
  readonly #judgements = new PendingRequests<Refusal | null>(this.#nextId);
  readonly #listings = new PendingRequests<MempoolListing>(this.#nextId);
  readonly #drops = new PendingRequests<DropOutcome>(this.#nextId);
  readonly #flushes = new PendingRequests<FlushOutcome | undefined>(this.#nextId);
  readonly #declared = new PendingRequests<SubmitOutcome>(this.#nextId);
  /** Messages held back while admission restarts; `undefined` while it runs. */
  #held: (() => void)[] | undefined;
  #isWatching = false;
  readonly #rejectionListeners: ((rejections: readonly ReportedRejection[]) => void)[] = [];
  /** Number of interruptions so far, to recognize results from before one. */
  #interruptions = 0;

  /**
   * @param view - chain position of the main thread. Admission answers for this position or a later one; its
   *   replies are delivered only once the main thread has reached theirs.
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
      // Delivered even if the position is not reached in time: a reply of a durable mempool must not be lost.
      else void reached.then(() => this.#take(message));
    });
  }

  async submit(transaction: AccountTransaction, { address }: SubmitClient): Promise<SubmitOutcome> {
    const submitter = { sender: senderAddressOf(transaction), client: address };
    // Admission computes the hash; the encoding reserves space for it.
    const outcome = await this.#gates.submit(submitter, encodeUnhashed(transaction));
    if (outcome.kind === "rejected") {
      this.#events.onRefused(outcome.retryAfterSeconds === undefined ? outcome.code : "BUSY");
    }
    return outcome;
  }

  /** Starts or stops the reports of transactions that are not executed yet. */
  watch(isWanted: boolean): void {
    this.#isWatching = isWanted;
    this.#send({ kind: "watch", id: this.#nextId(), isWanted });
  }

  /** Checks a hashed declaration before it is compiled. @returns the refusal; `null` if it passes */
  judge(bytes: Uint8Array, classSizeBytes: number): Promise<Refusal | null> {
    return this.#judgements.ask((id) =>
      this.#send({ kind: "mayDeclare", id, bytes, classSizeBytes }),
    );
  }

  /** Adds a validated and compiled declaration to the mempool. */
  submitDeclared(bytes: Uint8Array, declared: ClassContents): Promise<SubmitOutcome> {
    const validation = { prevalidated: null };
    return this.#declared.ask((id) =>
      this.#send({ kind: "submit", id, bytes, validation, declared }),
    );
  }

  /** Refuses unsent and future submissions, because the node is stopping. */
  stop(): void {
    this.#gates.stop();
  }

  /** Holds back requests until {@link release}. */
  hold(): void {
    this.#held ??= [];
  }

  /**
   * Settles or repeats all open requests, because admission restarts without answering them. Submissions are
   * refused: their senders have to see the new chain. Idempotent requests are sent again.
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

  /** Settles open requests as if the mempool were empty, because admission does not return. */
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

  /** Sends the requests that were held back: admission runs again. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    if (this.#isWatching) this.#send({ kind: "watch", id: this.#nextId(), isWanted: true });
    for (const send of held) send();
  }

  /** Adds a listener for lost transactions; runs after {@link AdmissionEvents.onRejected}. */
  onRejected(listener: (rejections: readonly ReportedRejection[]) => void): void {
    this.#rejectionListeners.push(listener);
  }

  /** Returns the state of a received transaction; one that left for a block is "gone". */
  async statusOf(transactionHash: Felt): Promise<MempoolStatus> {
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

  /** Lists waiting transactions in order of arrival, without the first `offset`. */
  list(offset: number, limit: number, selection: MempoolSelection = {}): Promise<MempoolListing> {
    return this.#listings.ask((id) => this.#send({ kind: "list", id, offset, limit, selection }));
  }

  /** Drops a waiting transaction; resolves when the removal is durable. */
  drop(hash: Felt): Promise<DropOutcome> {
    return this.#drops.ask((id) => this.#send({ kind: "drop", id, hash }));
  }

  /**
   * Drops the selected waiting transactions; resolves when the removal is durable.
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
        // Request ids are unique across both registries: at most one of them has this id.
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
      case "dispatched":
        this.#events.onDispatched(
          message.transactions.map(({ hash, bytes, isAgain }) => ({
            hash,
            isAgain,
            bytes,
            transaction: () => decodeTransaction(bytes),
          })),
        );
        break;
      case "postponed":
        return this.#events.onPostponed(message.change);
      case "mempoolSize":
        return this.#events.onSize(message.waiting);
    }
  }

  /** Runs a long validation on a query thread, then resumes the submission in admission, or rejects it. */
  async #validateSlowly({ id, bytes, isSenderUndeployed }: SlowReply): Promise<void> {
    const interruptions = this.#interruptions;
    const outcome = await this.#slow.run(bytes, isSenderUndeployed);
    // Admission restarted: the submission is already answered.
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

/** Refusal of a submission that was in flight when the chain was reverted. */
export const INTERRUPTED = {
  kind: "rejected",
  code: "UNEXPECTED_ERROR",
  reason: "the chain was reverted to an earlier block meanwhile: send it again",
  retryAfterSeconds: 1,
} as const satisfies SubmitOutcome;
