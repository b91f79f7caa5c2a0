import { felt, integer } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { ListedTransaction, MempoolListing } from "#services/admission/index.ts";
import { optional } from "../../method.ts";
import { COUNT, FELT, list, record, texts, U64 } from "../../spec/schemas/common.ts";
import { MAX_LISTED } from "../access.ts";
import { adminMethod } from "../admin-context.ts";

const DEFAULT_LISTED = 100;

/**
 * JSON-RPC method `appchain_getMempool`: transactions that wait for a block, in order of arrival.
 */
export const getMempool = adminMethod({
  name: "appchain_getMempool",
  family: "read",
  runsOn: "main",
  summary: "Transactions that wait for a block, in order of arrival.",
  params: () => ({
    offset: optional(integer(0, Number.MAX_SAFE_INTEGER), 0),
    limit: optional(integer(1, MAX_LISTED), DEFAULT_LISTED),
    contract_address: optional(felt, undefined),
  }),
  result: () => encodeListing,
  answer: () =>
    record({
      waiting: COUNT,
      in_flight: COUNT,
      transactions: list(
        record({
          transaction_hash: FELT,
          type: texts("INVOKE", "DECLARE", "DEPLOY_ACCOUNT"),
          sender_address: FELT,
          nonce: FELT,
          tip: U64,
          received_at_ms: COUNT,
        }),
      ),
    }),
  errors: [],
  handler: (context, { offset, limit, contract_address: sender }) =>
    context.admin.mempool(offset, limit, sender === undefined ? {} : { sender }),
});

function encodeListing({ waiting, inFlight, transactions }: MempoolListing) {
  return { waiting, in_flight: inFlight, transactions: transactions.map(encodeListed) };
}

function encodeListed({ hash, sender, nonce, tip, kind, receivedAtMs }: ListedTransaction) {
  return {
    transaction_hash: hexFromFelt(hash),
    type: kind,
    sender_address: hexFromFelt(sender),
    nonce: `0x${nonce.toString(16)}`,
    tip: `0x${tip.toString(16)}`,
    received_at_ms: receivedAtMs,
  };
}
