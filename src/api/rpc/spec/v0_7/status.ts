import type { JsonObject } from "#base/codec/index.ts";
import type { TransactionStatusAnswer } from "../version.ts";
import { encodeTransactionStatus as encodeNewer } from "../v0_8/status.ts";

/** Encodes the result of getTransactionStatus, which has no failure reason in JSON-RPC 0.7. */
export function encodeTransactionStatus(answer: TransactionStatusAnswer): JsonObject {
  const { failure_reason: _, ...members } = encodeNewer(answer);
  return members;
}
