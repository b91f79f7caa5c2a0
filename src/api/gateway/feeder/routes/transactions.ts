import { type HttpReply, type HttpRequest, Turns } from "#api/rpc/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import {
  gasMembersOf,
  writeGatewayReceipt,
  writeGatewayTransaction,
  writeGatewayTransactionStatus,
} from "#io/feeder/index.ts";
import type { GatewayRoute } from "../../app.ts";
import type { FeederDeps } from "../deps.ts";
import { GatewayFault, malformed } from "../fault.ts";
import {
  findIncluded,
  findTransaction,
  type FoundTransaction,
  type IncludedTransaction,
} from "../find-transaction.ts";
import { streamedAnswer } from "../long-answer.ts";
import type { Query } from "../query.ts";
import { longReply, notModified, pointReply, taggedReply } from "../reply.ts";
import { statusOf } from "../transaction-status.ts";
import { feederRoute } from "./route.ts";

/**
 * Routes of single transactions, by hash. One transaction may have megabytes of events, which the main thread
 * reads and encodes. Requests therefore take turns, so that other clients are served in between.
 */
export function transactionRoutes(deps: FeederDeps): readonly GatewayRoute[] {
  const { context } = deps;
  const turns = new Turns();
  const found = async (request: HttpRequest, query: Query): Promise<FoundTransaction> => {
    const hash = hashOf(query);
    await turns.take(request.caller);
    return findTransaction(context, hash);
  };
  return [
    feederRoute("get_transaction", async (request, query) =>
      pointReply(request, writeFound(await found(request, query))),
    ),
    feederRoute("get_transaction_status", async (request, query) =>
      pointReply(request, writeGatewayTransactionStatus(statusOf(await found(request, query)))),
    ),
    feederRoute("get_transaction_receipt", async (request, query) =>
      pointReply(request, writeReceiptOf(hashOf(query), await found(request, query))),
    ),
    feederRoute("get_transaction_trace", async (request, query) => {
      const hash = hashOf(query);
      await turns.take(request.caller);
      return traceReply(deps, request, hash);
    }),
  ];
}

function hashOf(query: Query): Felt {
  return (
    query.felt("transactionHash", "Transaction hash", "OUT_OF_RANGE_TRANSACTION_HASH") ??
    malformed("Field transactionHash is required.")
  );
}

/** Encodes the status members shared by get_transaction and get_transaction_receipt. */
function writeStatus(found: FoundTransaction): JsonObject {
  const { status, finality, executionStatus, failureReason } = statusOf(found);
  return {
    status,
    finality_status: finality,
    execution_status: executionStatus,
    transaction_failure_reason:
      failureReason === undefined
        ? undefined
        : { code: "TRANSACTION_FAILED", error_message: failureReason },
  };
}

function writePlace({ accepted, blockNumber, index }: IncludedTransaction): JsonObject {
  return {
    block_hash: accepted === undefined ? undefined : hexFromFelt(accepted.hash),
    block_number: blockNumber,
    transaction_index: index,
  };
}

function writeFound(found: FoundTransaction): JsonObject {
  const status = writeStatus(found);
  switch (found.kind) {
    case "included": {
      const { transaction, receipt } = found;
      const reason = receipt.status.kind === "reverted" ? receipt.status.reason : undefined;
      return {
        ...status,
        ...writePlace(found),
        revert_error: reason,
        transaction: writeGatewayTransaction(transaction),
      };
    }
    case "waiting": {
      const { transaction } = found;
      if (transaction.transaction === undefined) return status;
      return { ...status, transaction: writeGatewayTransaction(transaction) };
    }
    default:
      return status;
  }
}

function writeReceiptOf(hash: Felt, found: FoundTransaction): JsonObject {
  const status = writeStatus(found);
  if (found.kind !== "included") {
    return {
      ...status,
      transaction_hash: hexFromFelt(hash),
      l2_to_l1_messages: [],
      events: [],
    };
  }
  const { receipt, transaction, index, protocolVersion } = found;
  const gasMembers = gasMembersOf(protocolVersion);
  return {
    ...status,
    ...writePlace(found),
    ...writeGatewayReceipt(receipt, transaction, index, gasMembers),
  };
}

async function traceReply(
  { context, queryPool, cache }: FeederDeps,
  request: HttpRequest,
  hash: Felt,
): Promise<HttpReply> {
  const included = findIncluded(context, hash) ?? noTrace(hash);
  const { accepted, index } = included;
  // The outcome of a transaction may change while its block is not accepted.
  const place = accepted === undefined ? "" : `${accepted.hash.toString(16)}-${index}`;
  const key = `feeder trace ${place}`;
  let answer = accepted === undefined ? undefined : cache.get(key);
  if (answer === undefined) {
    const ticket = cache.ticket(key);
    const params = [hexFromFelt(hash)];
    const made = await streamedAnswer(queryPool, request.caller, "transactionTrace", params);
    if (made.rest !== undefined) {
      const tag = accepted === undefined ? crypto.randomUUID() : place;
      return longReply(made, { tag, freshness: "revalidate" });
    }
    answer = made.bytes;
    if (isNull(answer)) return noTrace(hash);
    if (accepted !== undefined) cache.put(ticket, answer);
  }
  const tag = accepted === undefined ? Bun.hash(answer).toString(36) : place;
  const tagged = { tag, freshness: "revalidate" } as const;
  return notModified(request, tagged) ?? taggedReply(answer, tagged);
}

/** Whether the block that contained the transaction is gone. */
function isNull(answer: string | Uint8Array): boolean {
  return answer.length === "null".length;
}

function noTrace(hash: Felt): never {
  throw new GatewayFault("NO_TRACE", `Transaction ${hexFromFelt(hash)} does not have a trace.`);
}
