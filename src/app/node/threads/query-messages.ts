import type { KnownOutcome } from "#api/rpc/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { CompileRequest, SlowValidationMetadata } from "#services/admission/index.ts";
import type { FetchedValue, OriginQuery } from "#io/origin/index.ts";
import type { ReadPosition } from "#engine/state/index.ts";

/** Class that a method needs compiled. */
export type NeededClass = Omit<CompileRequest, "isTrial">;

/** Compilation result of a needed class. */
export interface KnownClass {
  readonly classHash: Felt;
  readonly outcome: KnownOutcome;
}

/** Work of a query thread, without delivery data. */
export type QueryWork =
  | {
      readonly kind: "query";
      readonly specVersion: string;
      readonly method: string;
      readonly paramsText: string;
      /** Classes that the method requested in its first run; only set in a second run. */
      readonly compiled?: readonly KnownClass[];
      /** Values of a fork's origin that earlier runs of the method lacked. */
      readonly fetched?: readonly FetchedValue[];
      /** Set if the client reads a long response in parts; otherwise a long response is an error. */
      readonly takesRest?: true;
    }
  | {
      readonly kind: "rest";
      /** Id of the order whose answer had {@link QueryAnswer.isOpen}. */
      readonly of: number;
    }
  | {
      readonly kind: "validate";
      /** Encoded transaction; the query thread computes its hash. */
      readonly bytes: Uint8Array;
      readonly metadata: SlowValidationMetadata;
    }
  | {
      readonly kind: "prepare";
      /** Declaration encoded by `encodeDeclaration`. */
      readonly bytes: Uint8Array;
      /** As the parameter of `prepareDeclaration`; omitted when the declaration is to be admitted. */
      readonly namesOnly?: boolean;
    };

/** Job for a query thread. */
export type QueryOrder = QueryWork & {
  readonly id: number;
  /** Processor time, in milliseconds, after which to report the job as long; `null` if that is known. */
  readonly longAfterMs: number | null;
  /** Chain position of the client: the response must not be older. */
  readonly position: ReadPosition;
};

/**
 * Message to a query thread: jobs to run one after another, sent when it is idle; or the end of a response
 * whose rest is no longer needed.
 */
export type ToQuery =
  | { readonly kind: "begin"; readonly orders: readonly QueryOrder[] }
  | { readonly kind: "close"; readonly of: number };

/**
 * Answer to an order. `bytes` is UTF-8 JSON with `result` or `error`; for a validation the output of
 * `encodeSlowValidation`, for a declaration that of `encodePrepared`.
 */
export interface QueryAnswer {
  readonly id: number;
  /** Processor time used, in milliseconds. */
  readonly processorMs: number;
  /** Whether the cancel flag stopped the query. */
  readonly isCancelled: boolean;
  /** Chain position of the thread: the answer is delivered once the main thread has reached it. */
  readonly position: ReadPosition;
  /** Set if there is no answer: the query has to be run again with these classes compiled. */
  readonly needed?: readonly NeededClass[];
  /** Set if there is no answer: the query has to be run again with these values of a fork's origin. */
  readonly missing?: readonly OriginQuery[];
  /** Set if more bytes follow; the thread keeps them until they are requested or closed. */
  readonly isOpen?: true;
  /** Reason why the rest cannot be produced. */
  readonly failed?: string;
  readonly bytes: Uint8Array;
}

/**
 * Message from a query thread: answers together with the jobs that it returns, a report that its current job
 * is long, or an error for the log.
 */
export type FromQuery =
  | {
      readonly kind: "answers";
      readonly answers: readonly QueryAnswer[];
      /** Jobs behind a long or cancelled one, which other threads can run sooner. */
      readonly notStarted: readonly number[];
    }
  | { readonly kind: "long"; readonly id: number }
  | {
      readonly kind: "internalError";
      readonly method: string;
      readonly logId: string;
      readonly reason: string;
    };
