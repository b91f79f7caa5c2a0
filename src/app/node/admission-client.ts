import {
  type AccountTransaction,
  decodeTransaction,
  encodeUnhashed,
  type HashedTransaction,
  senderAddressOf,
} from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import {
  type SlowValidation,
  SubmissionGate,
  type SubmitOutcome,
} from "#services/admission/index.ts";
import type { MempoolLookup, TransactionSubmitter } from "#api/rpc/index.ts";
import type { PositionView } from "./position-gate.ts";
import type { ReportedRejection } from "./rejection-report.ts";
import type {
  AdmissionReply,
  AdmissionRequest,
  PortBetween,
  ToAdmission,
} from "./threads/protocol.ts";

/** Long validations that run or wait at the same time; one more is refused. */
const MAX_SLOW = 64;

type SlowReply = Extract<AdmissionReply, { kind: "slow" }>;

/** What the main thread has to know of admission, and what admission asks it. */
export interface AdmissionEvents {
  /**
   * Validates an encoded transaction without holding up anybody.
   *
   * @returns `undefined` when the node is stopping or has no room
   */
  readonly validateSlowly: (
    bytes: Uint8Array,
    senderIsToBeDeployed: boolean,
  ) => Promise<SlowValidation | undefined>;
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
export class AdmissionClient implements TransactionSubmitter, MempoolLookup {
  readonly #port: PortBetween<"main", "admission">;
  readonly #view: PositionView;
  readonly #events: AdmissionEvents;
  readonly #gate: SubmissionGate;
  readonly #finds = new Map<number, (bytes: Uint8Array | null) => void>();
  readonly #rejections = new Map<number, (reason: string | null) => void>();
  #nextId = 0;
  #slow = 0;

  /**
   * @param view - what the main thread has seen: admission answers nothing older, and nothing that it
   *   answers is given out before the main thread has seen as much
   */
  constructor(port: PortBetween<"main", "admission">, view: PositionView, events: AdmissionEvents) {
    this.#port = port;
    this.#view = view;
    this.#events = events;
    this.#gate = new SubmissionGate({
      send: (id, bytes) => this.#send({ kind: "submit", id, bytes }),
      hasAccount: events.hasAccount,
      nowMs: () => performance.now(),
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

  /** Answers submissions that were not handed on, now and from now on, that the node is stopping. */
  stop(): void {
    this.#gate.stop();
  }

  async find(transactionHash: Felt): Promise<HashedTransaction | undefined> {
    const bytes = await this.#ask(this.#finds, (id) => ({
      kind: "find",
      id,
      hash: transactionHash,
    }));
    return bytes === null ? undefined : decodeTransaction(bytes);
  }

  async rejectionOf(transactionHash: Felt): Promise<string | undefined> {
    const reason = await this.#ask(this.#rejections, (id) => ({
      kind: "rejection",
      id,
      hash: transactionHash,
    }));
    return reason ?? undefined;
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
        for (const { id, outcome } of message.outcomes) this.#gate.settled(id, outcome);
        break;
      case "found":
        settle(this.#finds, message.id, message.bytes);
        break;
      case "rejectionFound":
        settle(this.#rejections, message.id, message.reason);
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
    if (this.#slow >= MAX_SLOW) return this.#gate.settled(id, NO_ROOM);
    this.#slow++;
    const validation = await this.#events.validateSlowly(bytes, senderIsToBeDeployed);
    this.#slow--;
    if (validation === undefined) return this.#gate.settled(id, NO_ROOM);
    if (validation.kind === "valid") return this.#send({ kind: "submit", id, bytes, validation });
    const { code, reason } = validation;
    return this.#gate.settled(id, { kind: "rejected", code, reason });
  }

  #ask<T>(
    waiting: Map<number, (answer: T) => void>,
    message: (id: number) => AdmissionRequest,
  ): Promise<T> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      this.#send(message(id));
    });
  }

  #send(message: AdmissionRequest): void {
    const request: ToAdmission = { ...message, position: this.#view.position };
    this.#port.send(request);
  }
}

const NO_ROOM: SubmitOutcome = {
  kind: "rejected",
  code: "UNEXPECTED_ERROR",
  reason: "the node is busy with long validations: try again later",
  retryAfterSeconds: 5,
};

function settle<T>(waiting: Map<number, (answer: T) => void>, id: number, answer: T): void {
  waiting.get(id)?.(answer);
  waiting.delete(id);
}
