import {
  decodePrepared,
  decodeSlowValidation,
  type PreparedDeclaration,
  type SlowValidation,
  type SlowValidationMetadata,
} from "#services/admission/index.ts";
import type { QueryWork } from "../threads/query-messages.ts";
import { QueryJob, SUBMISSIONS } from "./query-job.ts";
import { submissionKind, type WorkKind } from "./work-kinds.ts";

/** Size above which hashing a class is long. */
const LARGE_CLASS_BYTES = 512 * 1024;

/** Jobs of query threads for submitted transactions. */
export class SubmissionQueries {
  readonly #enqueue: (job: QueryJob) => void;

  /** @param enqueue - queues a job for a thread */
  constructor(enqueue: (job: QueryJob) => void) {
    this.#enqueue = enqueue;
  }

  /**
   * Validates a transaction.
   *
   * @param bytes - the encoded transaction
   * @param isLong - whether its validation is known to be long
   * @returns `undefined` if the pool is stopping or full
   */
  readonly validate = async (
    bytes: Uint8Array,
    metadata: SlowValidationMetadata,
    isLong: boolean,
  ): Promise<SlowValidation | undefined> => {
    const kind = submissionKind("validate", bytes.byteLength);
    const answer = await this.#ask({ kind: "validate", bytes, metadata }, kind, isLong);
    return answer && decodeSlowValidation(answer);
  };

  /**
   * Hashes and validates a declaration; with `names` only hashes it.
   *
   * @param bytes - from `encodeDeclaration`
   * @returns `undefined` if the pool is stopping or full
   */
  readonly prepare = async (
    bytes: Uint8Array,
    only?: "names",
  ): Promise<PreparedDeclaration | undefined> => {
    const kind = submissionKind("prepare", bytes.byteLength);
    const isLong = bytes.byteLength > LARGE_CLASS_BYTES;
    const work = { kind: "prepare", bytes, ...(only && { namesOnly: true }) } as const;
    const answer = await this.#ask(work, kind, isLong);
    return answer && decodePrepared(answer);
  };

  #ask(work: QueryWork, kind: WorkKind, isLong: boolean): Promise<Uint8Array | undefined> {
    return new Promise((resolve) => {
      const none = () => resolve(undefined);
      const ends = { resolve, fail: none, refuse: none };
      this.#enqueue(
        new QueryJob({ work, kind, client: SUBMISSIONS, isLong, signal: undefined }, ends),
      );
    });
  }
}
