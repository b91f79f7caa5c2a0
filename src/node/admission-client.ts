import {
  type AccountTransaction,
  decodeTransaction,
  encodeTransaction,
  type HashedTransaction,
} from "#chain/index.ts";
import type { Felt } from "#primitives/index.ts";
import type { MempoolLookup, SubmitOutcome, TransactionSubmitter } from "#rpc/index.ts";
import type { FromAdmission, ToAdmission } from "./workers/protocol.ts";
import type { WorkerThread } from "./workers/spawn.ts";

/** The main thread's side of admission: submits transactions and looks into the mempool. */
export class AdmissionClient implements TransactionSubmitter, MempoolLookup {
  readonly #thread: WorkerThread;
  readonly #submissions = new Map<number, (outcome: SubmitOutcome) => void>();
  readonly #finds = new Map<number, (bytes: Uint8Array | null) => void>();
  readonly #rejections = new Map<number, (reason: string | null) => void>();
  #nextId = 0;

  /** @param onSize - called with the number of waiting transactions when it changes */
  constructor(thread: WorkerThread, onSize: (waiting: number) => void) {
    this.#thread = thread;
    thread.onMessage((raw) => {
      const message = raw as FromAdmission;
      switch (message.kind) {
        case "submitted":
          settle(this.#submissions, message.id, message.outcome);
          break;
        case "found":
          settle(this.#finds, message.id, message.bytes);
          break;
        case "rejectionFound":
          settle(this.#rejections, message.id, message.reason);
          break;
        case "mempoolSize":
          onSize(message.waiting);
          break;
      }
    });
  }

  submit(transaction: AccountTransaction): Promise<SubmitOutcome> {
    // The hash is computed by admission; the encoding has a place for it.
    const bytes = encodeTransaction({ hash: 0n, transaction });
    return this.#ask(this.#submissions, (id) => ({ kind: "submit", id, bytes }));
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

  #ask<T>(
    waiting: Map<number, (answer: T) => void>,
    message: (id: number) => ToAdmission,
  ): Promise<T> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      this.#thread.send(message(id));
    });
  }
}

function settle<T>(waiting: Map<number, (answer: T) => void>, id: number, answer: T): void {
  waiting.get(id)?.(answer);
  waiting.delete(id);
}
