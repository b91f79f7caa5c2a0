import type { JsonValue } from "#base/codec/index.ts";
import { readGatewayTransaction, type SentTransaction } from "#io/feeder/index.ts";
import type { Declaration } from "#services/admission/index.ts";
import type { SubmitRefusal } from "#services/sync/index.ts";

/** Parsed body of add_transaction. */
export type Submission =
  | Extract<SentTransaction, { readonly kind: "transaction" }>
  | { readonly kind: "declaration"; readonly declaration: Declaration }
  | Extract<SentTransaction, { readonly kind: "address out of range" }>
  /** Valid, but of an unsupported kind. */
  | ({ readonly kind: "refused" } & Pick<SubmitRefusal, "code" | "reason">);

/**
 * Parses the body of add_transaction. It rejects the same transactions as JSON-RPC does.
 *
 * @throws {DecodeError} naming the first invalid place
 */
export function readSubmission(value: JsonValue): Submission {
  const sent = readGatewayTransaction(value);
  switch (sent.kind) {
    case "transaction":
    case "address out of range":
      return sent;
    case "declaration": {
      const { transaction, contractClass } = sent;
      return { kind: "declaration", declaration: { transaction, contractClass } };
    }
    case "unsupported":
      return { kind: "refused", code: "UNSUPPORTED_TX_VERSION", reason: sent.reason };
    case "proof": {
      const reason = "this node does not accept transactions with proofs";
      return { kind: "refused", code: "INVALID_PROOF", reason };
    }
  }
}
