import type { ReadPosition } from "#engine/state/index.ts";

/** What is to be done, without what belongs to its way there. */
export type QueryWork =
  | {
      readonly kind: "query";
      readonly specVersion: string;
      readonly method: string;
      readonly paramsText: string;
    }
  | {
      readonly kind: "validate";
      /** An encoded transaction; its hash is computed there. */
      readonly bytes: Uint8Array;
      readonly senderIsToBeDeployed: boolean;
    };

/** To a query thread. */
export type ToQuery = QueryWork & {
  readonly id: number;
  /** What whoever asks had seen: the answer is not older. */
  readonly position: ReadPosition;
};

/**
 * UTF-8 JSON with `result` or `error`; for a validation what `encodeSlowValidation` makes.
 */
export interface QueryAnswer {
  readonly kind: "answer";
  readonly id: number;
  /** The cancel flag ended the query before its end. */
  readonly isCancelled: boolean;
  /** What the thread had seen: nobody may see the answer before the main thread has, too. */
  readonly position: ReadPosition;
  readonly bytes: Uint8Array;
}

/** From a query thread: an answer, or an error for the log. */
export type FromQuery =
  | QueryAnswer
  | {
      readonly kind: "internalError";
      readonly method: string;
      readonly logId: string;
      readonly reason: string;
    };
