import { literal, object, parseJson } from "#base/codec/index.ts";
import { DecodeError, NodeError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { felt } from "../wire/numbers.ts";
import type { BoundedReply } from "./reply.ts";
import type { Endpoint } from "#io/http/index.ts";

/** Accepted transaction. */
export interface AcceptedSubmission {
  readonly kind: "taken";
  readonly transactionHash: Felt;
  /** Present for a declaration. */
  readonly classHash?: Felt;
  /** Present for an account deployment. */
  readonly contractAddress?: Felt;
}

/** Outcome of a transaction that was submitted to a gateway. */
export type SubmissionReply =
  | AcceptedSubmission
  | {
      readonly kind: "refused";
      /** Includes the prefix, for example `StarknetErrorCode.INVALID_TRANSACTION_NONCE`. */
      readonly code: string;
      readonly message: string;
      /** Seconds after which a retry is welcome; the gateway did not process the transaction. */
      readonly retryAfterSeconds?: number;
      /**
       * Another gateway may have accepted it before, so a reported duplicate may be this very transaction.
       */
      readonly wasSentBefore?: boolean;
    }
  /** Unknown outcome: it may have been accepted, unless the message says otherwise. */
  | {
      readonly kind: "unreachable";
      readonly message: string;
      /** Whether no gateway received it. */
      readonly isUnsent?: boolean;
    };

const acceptedMembers = object(
  { code: literal("TRANSACTION_RECEIVED"), transaction_hash: felt },
  { class_hash: felt, address: felt },
);

const RATE_LIMITED = "StarknetErrorCode.RATE_LIMITED";
/** Retry delay for a throttling gateway that states none. */
const RETRY_SECONDS = 5;

/** Converts the outcome of add_transaction. */
export function submissionOf(reply: BoundedReply<AcceptedSubmission>): SubmissionReply {
  switch (reply.kind) {
    case "answered":
      return reply.value;
    case "refused": {
      const { fault, wasSentBefore } = reply;
      return { kind: "refused", ...fault, ...(wasSentBefore ? { wasSentBefore } : {}) };
    }
    case "throttled": {
      const { fault, retryAfterMs, error } = reply;
      const retryAfterSeconds =
        retryAfterMs === undefined ? RETRY_SECONDS : Math.max(1, Math.ceil(retryAfterMs / 1000));
      const { code, message } = fault ?? { code: RATE_LIMITED, message: error.message };
      return { kind: "refused", code, message, retryAfterSeconds };
    }
    case "unanswered": {
      const { message } = reply.error;
      return reply.wasSent
        ? {
            kind: "unreachable",
            message: `${message}: whether the transaction was received is not known`,
          }
        : {
            kind: "unreachable",
            message: `${message}: the transaction was not sent`,
            isUnsent: true,
          };
    }
  }
}

/**
 * Parses the response of add_transaction.
 *
 * @throws {NodeError} NODE_BAD_ANSWER
 */
export function readAccepted(
  bytes: Uint8Array,
  { name, masked }: Pick<Endpoint, "name" | "masked">,
): AcceptedSubmission {
  try {
    const json = parseJson(new TextDecoder().decode(bytes), { maxDepth: 16, maxElements: 1000 });
    const {
      transaction_hash: transactionHash,
      class_hash,
      address,
    } = acceptedMembers.decode(json, "");
    return {
      kind: "taken",
      transactionHash,
      ...(class_hash === undefined ? {} : { classHash: class_hash }),
      ...(address === undefined ? {} : { contractAddress: address }),
    };
  } catch (cause) {
    if (!(cause instanceof DecodeError)) throw cause;
    const message = `the response of ${name} to add_transaction is malformed: ${masked(cause.message)}`;
    throw new NodeError("NODE_BAD_ANSWER", message);
  }
}
