import {
  type AccountTransaction,
  type ClassContents,
  decodeTransaction,
  encodeUnhashed,
  senderAddressOf,
} from "#protocol/chain/index.ts";
import type { Felt, Port } from "#base/primitives/index.ts";
import {
  type AdmissionReply,
  type AdmissionRequest,
  type DropOutcome,
  type FromAdmission,
  type MempoolListing,
  type PositionView,
  type Refusal,
  type ReportedRejection,
  SubmissionGate,
  type SubmitOutcome,
  type ToAdmission,
} from "#services/admission/index.ts";
import type { MempoolLookup, TransactionSubmitter, WaitingTransaction } from "#api/rpc/index.ts";
import { ids, OpenQuestions } from "./open-questions.ts";
import { SlowLane, type ValidateSlowly } from "./slow-lane.ts";

type SlowReply = Extract<AdmissionReply, { kind: "slow" }>;
type Found = Pick<Extract<AdmissionReply, { kind: "found" }>, "bytes" | "isInFlight">;

/** What the main thread has to know of admission, and what admission asks it. */
export interface AdmissionEvents {
  readonly validateSlowly: ValidateSlowly;
  /** Whether an account stands at an address. */
  readonly hasAccount: (address: Felt) => boolean;
  /** The number of waiting transactions has changed. */
  readonly onSize: (waiting: number) => void;
  /** A submission was refused; `code` is the error's name on the wire, or BUSY. */
  readonly onRefused: (code: string) => void;
  /** Transactions that were received are not going to be included. */
  readonly onRejected: (rejections: readonly ReportedRejection[]) => void;
}

/** The main thread's side of admission: submits transactions and looks into the mempool. */
export class AdmissionClient implements Pick<TransactionSubmitter, "submit">, MempoolLookup {
  readonly #port: Port<FromAdmission, ToAdmission>;
  readonly #view: PositionView;
  readonly #events: AdmissionEvents;
  readonly #gate: SubmissionGate;
  readonly #slow: SlowLane;
  readonly #nextId = ids();
  readonly #finds = new OpenQuestions<Found>(this.#nextId);
  readonly #rejections = new OpenQuestions<string | null>(this.#nextId);
  readonly #judgements = new OpenQuestions<Refusal | null>(this.#nextId);
  readonly #listings = new OpenQuestions<MempoolListing>(this.#nextId);
  readonly #drops = new OpenQuestions<DropOutcome>(this.#nextId);
  readonly #declared = new OpenQuestions<SubmitOutcome>(this.#nextId);

  /**
   * @param view - what the main thread has seen: admission answers nothing older, and nothing that it
   *   answers is given out before the main thread has seen as much
   */
  constructor(port: Port<FromAdmission, ToAdmission>, view: PositionView, events: AdmissionEvents) {
    this.#port = port;
    this.#view = view;
    this.#events = events;
    this.#slow = new SlowLane(events.validateSlowly);
    this.#gate = new SubmissionGate({
      send: (id, bytes) => this.#send({ kind: "submit", id, bytes }),
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

  async submit(transaction: AccountTransaction): Promise<SubmitOutcome> {
    // The hash is computed by admission; the encoding has a place for it.
    const bytes = encodeUnhashed(transaction);
    const outcome = await this.#gate.submit(senderAddressOf(transaction), bytes);
    if (outcome.kind === "rejected") {
      this.#events.onRefused(outcome.retryAfterSeconds === undefined ? outcome.code : "BUSY");
    }
    return outcome;
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
    this.#gate.stop();
  }

  async find(transactionHash: Felt): Promise<WaitingTransaction | undefined> {
    const { bytes, isInFlight } = await this.#finds.ask((id) =>
      this.#send({ kind: "find", id, hash: transactionHash }),
    );
    return bytes === null ? undefined : { ...decodeTransaction(bytes), isCandidate: isInFlight };
  }

  async rejectionOf(transactionHash: Felt): Promise<string | undefined> {
    const reason = await this.#rejections.ask((id) =>
      this.#send({ kind: "rejection", id, hash: transactionHash }),
    );
    return reason ?? undefined;
  }

  /** Waiting transactions in the order of their arrival, `offset` of them passed over. */
  list(offset: number, limit: number): Promise<MempoolListing> {
    return this.#listings.ask((id) => this.#send({ kind: "list", id, offset, limit }));
  }

  /** Drops a waiting transaction; settles when that is durable. */
  drop(hash: Felt): Promise<DropOutcome> {
    return this.#drops.ask((id) => this.#send({ kind: "drop", id, hash }));
  }

  #take(message: AdmissionReply): void {
    switch (message.kind) {
      case "validated":
        this.#gate.validated(message.id, message.costMs);
        break;
      case "slow":
        void this.#validateSlowly(message);
        break;
      case "submitted":
        // Numbers are shared: each finds the one that asked.
        for (const { id, outcome } of message.outcomes) {
          this.#gate.settled(id, outcome);
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
        this.#drops.answer(message.id, message.outcome);
        break;
      case "rejected":
        this.#events.onRejected(message.rejections);
        break;
      case "mempoolSize":
        this.#events.onSize(message.waiting);
        break;
    }
  }

  /** Has a long validation done elsewhere; then admission goes on with the submission, or it is refused. */
  async #validateSlowly({ id, bytes, senderIsToBeDeployed }: SlowReply): Promise<void> {
    const outcome = await this.#slow.run(bytes, senderIsToBeDeployed);
    if (outcome.kind === "rejected") this.#gate.settled(id, outcome);
    else this.#send({ kind: "submit", id, bytes, validation: outcome });
  }

  #send(message: AdmissionRequest): void {
    this.#port.send({ ...message, position: this.#view.position });
  }
}
