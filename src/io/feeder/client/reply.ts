import type { NodeError } from "#base/errors/index.ts";
import type { Endpoint } from "#io/http/index.ts";
import type { GatewayRequest } from "./attempt.ts";
import type { Fault } from "./fault.ts";

/** Response of a gateway. */
export type Reply =
  | { readonly kind: "answered"; readonly bytes: Uint8Array<ArrayBuffer>; readonly from: Endpoint }
  | { readonly kind: "refused"; readonly fault: Fault; readonly from: Endpoint };

/** Request with a total time limit. */
export interface BoundedRequest<T> extends GatewayRequest {
  /** Time limit for all gateways together. */
  readonly forMs: number;
  /** Whether sending the request to two gateways is harmless. */
  readonly isRepeatable: boolean;
  /**
   * Parses the response.
   *
   * @param from - endpoint that sent it
   * @throws {NodeError} when the response is invalid
   */
  readonly read: (bytes: Uint8Array, from: Endpoint) => T;
}

/** Outcome of a request with a total time limit. */
export type BoundedReply<T> =
  | { readonly kind: "answered"; readonly value: T }
  /** `wasSentBefore`: another gateway may have received and executed the request before. */
  | (Extract<Reply, { readonly kind: "refused" }> & { readonly wasSentBefore: boolean })
  | {
      readonly kind: "throttled";
      readonly retryAfterMs: number | undefined;
      readonly fault: Fault | undefined;
      readonly error: NodeError;
    }
  /** No response from any gateway; `wasSent`: one may have received the request. */
  | { readonly kind: "unanswered"; readonly error: NodeError; readonly wasSent: boolean };

/** Outcome without a response value. */
export type Unanswered = Exclude<BoundedReply<never>, { readonly kind: "answered" }>;

/**
 * Picks the outcome to report of two failed attempts at a request: one that may have been executed
 * comes first, then one that can be retried.
 */
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
