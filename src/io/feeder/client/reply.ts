import type { NodeError } from "#base/errors/index.ts";
import type { Endpoint } from "#io/http/index.ts";
import type { Question } from "./attempt.ts";
import type { Fault } from "./fault.ts";

/** A gateway's answer. */
export type Reply =
  | { readonly kind: "answered"; readonly bytes: Uint8Array<ArrayBuffer>; readonly from: Endpoint }
  | { readonly kind: "refused"; readonly fault: Fault; readonly from: Endpoint };

/** A question that is asked for a bounded time. */
export interface BriefQuestion<T> extends Question {
  /** For all gateways together. */
  readonly forMs: number;
  /** Whether it does no harm when two gateways get the question. */
  readonly isRepeatable: boolean;
  /**
   * Reads the answer.
   *
   * @param from - of whom it is
   * @throws {NodeError} when it is one that no gateway gives
   */
  readonly read: (bytes: Uint8Array, from: Endpoint) => T;
}

/** What came of a question that is asked for a bounded time. */
export type BriefReply<T> =
  | { readonly kind: "answered"; readonly value: T }
  /** `wasSentBefore`: another gateway may have got the question before, and may have done as it says. */
  | (Extract<Reply, { readonly kind: "refused" }> & { readonly wasSentBefore: boolean })
  /** All gateways are asked too much. */
  | {
      readonly kind: "throttled";
      readonly retryAfterMs: number | undefined;
      readonly fault: Fault | undefined;
      readonly error: NodeError;
    }
  /** No answer of a gateway; `wasSent`: one may have got the question. */
  | { readonly kind: "unanswered"; readonly error: NodeError; readonly wasSent: boolean };

/** No answer. */
export type Unanswered = Exclude<BriefReply<never>, { readonly kind: "answered" }>;

/** What to tell of two replies that gave no answer: what may have been done, then what can be done. */
export function weightier(one: Unanswered | undefined, other: Unanswered): Unanswered {
  return one !== undefined && weightOf(one) >= weightOf(other) ? one : other;
}

function weightOf(reply: Unanswered): number {
  switch (reply.kind) {
    case "unanswered":
      return reply.wasSent ? 3 : 0;
    case "throttled":
      return 2;
    case "refused":
      return 1;
  }
}
