import type { KnownOutcome } from "#api/rpc/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { CompileRequest, SlowValidationMetadata } from "#services/admission/index.ts";
import type { ReadPosition } from "#engine/state/index.ts";

/** A class that a method needs compiled. */
export type NeededClass = Omit<CompileRequest, "isTrial">;

/** What became of a needed class. */
export interface KnownClass {
  readonly classHash: Felt;
  readonly outcome: KnownOutcome;
}

/** What is to be done, without what belongs to its way there. */
export type QueryWork =
  | {
      readonly kind: "query";
      readonly specVersion: string;
      readonly method: string;
      readonly paramsText: string;
      /** In a second run: the classes that the method asked for in its first one. */
      readonly compiled?: readonly KnownClass[];
      /** The rest of a long answer is asked for; absent: a long answer is an error. */
      readonly takesRest?: true;
    }
  | {
      readonly kind: "rest";
      /** Number of the order whose answer was {@link QueryAnswer.isOpen}. */
      readonly of: number;
    }
  | {
      readonly kind: "validate";
      /** An encoded transaction; its hash is computed there. */
      readonly bytes: Uint8Array;
      readonly metadata: SlowValidationMetadata;
    }
  | {
      readonly kind: "prepare";
      /** A declaration of `encodeDeclaration`. */
      readonly bytes: Uint8Array;
      /** As the parameter of `prepareDeclaration`; omitted when the declaration is to be admitted. */
      readonly namesOnly?: boolean;
    };

/** A job for a query thread. */
export type QueryOrder = QueryWork & {
  readonly id: number;
  /**
   * Processor time in milliseconds after which the thread says that this is long, and goes on; `null`:
   * that is known.
   */
  readonly longAfterMs: number | null;
  /** What whoever asks had seen: the answer is not older. */
  readonly position: ReadPosition;
};

/**
 * To a query thread: jobs that it is to do one after the other, when it has nothing in hand, or that nobody
 * asks any more for the rest of an answer.
 */
export type ToQuery =
  | { readonly kind: "begin"; readonly orders: readonly QueryOrder[] }
  | { readonly kind: "close"; readonly of: number };

/**
 * UTF-8 JSON with `result` or `error`; for a validation what `encodeSlowValidation` makes, for a
 * declaration what `encodePrepared` makes.
 */
export interface QueryAnswer {
  readonly id: number;
  /** Processor time that it took, in milliseconds. */
  readonly processorMs: number;
  /** The cancel flag ended the query before its end. */
  readonly isCancelled: boolean;
  /** What the thread had seen: nobody may see the answer before the main thread has, too. */
  readonly position: ReadPosition;
  /** Set: there is no answer; the query is to be run again with these classes compiled. */
  readonly needed?: readonly NeededClass[];
  /** More follows behind these bytes, and the thread keeps it until it is asked for or closed. */
  readonly isOpen?: true;
  /** Why the rest cannot be made. */
  readonly failed?: string;
  readonly bytes: Uint8Array;
}

/**
 * From a query thread: answers with the jobs that it does not begin, that the one job it has in hand will
 * take long, or an error for the log.
 */
export type FromQuery =
  | {
      readonly kind: "answers";
      readonly answers: readonly QueryAnswer[];
      /** What stood behind a long or a cancelled job: others can do it sooner. */
      readonly notBegun: readonly number[];
    }
  | { readonly kind: "long"; readonly id: number }
  | {
      readonly kind: "internalError";
      readonly method: string;
      readonly logId: string;
      readonly reason: string;
    };
