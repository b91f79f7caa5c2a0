import {
  type JsonObject,
  type JsonValue,
  literal,
  nullable,
  object,
  text,
} from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { GatewayTransactionStatus } from "../types.ts";
import { felt } from "./numbers.ts";

/** Code that gateways use for every failure with a text. */
const FAILURE_CODE = "TRANSACTION_FAILED";

const status = object(
  {
    tx_status: text,
    finality_status: literal("NOT_RECEIVED", "RECEIVED", "ACCEPTED_ON_L2", "ACCEPTED_ON_L1"),
  },
  {
    execution_status: nullable(literal("SUCCEEDED", "REVERTED", "REJECTED")),
    block_hash: nullable(felt),
    tx_failure_reason: nullable(object({ error_message: text }, { code: text })),
    tx_revert_reason: nullable(text),
  },
);

/**
 * Decodes the response of get_transaction_status.
 *
 * @throws {DecodeError} naming the first invalid place
 */
export function readGatewayTransactionStatus(value: JsonValue): GatewayTransactionStatus {
  const read = status.decode(value, "");
  return {
    finality: read.finality_status,
    status: read.tx_status,
    executionStatus: read.execution_status ?? undefined,
    blockHash: read.block_hash ?? undefined,
    failureReason: read.tx_failure_reason?.error_message,
    revertReason: read.tx_revert_reason ?? undefined,
  };
}

/**
 * Encodes the response of get_transaction_status. Readers require `execution_status` even when it is unknown.
 */
export function writeGatewayTransactionStatus(
  transactionStatus: GatewayTransactionStatus,
): JsonObject {
  const { failureReason, blockHash } = transactionStatus;
  return {
    tx_status: transactionStatus.status,
    finality_status: transactionStatus.finality,
    execution_status: transactionStatus.executionStatus ?? null,
    block_hash: blockHash === undefined ? undefined : hexFromFelt(blockHash),
    tx_failure_reason:
      failureReason === undefined
        ? undefined
        : { code: FAILURE_CODE, error_message: failureReason },
    tx_revert_reason: transactionStatus.revertReason,
  };
}
