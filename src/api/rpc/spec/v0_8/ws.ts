import { type Decoder, integer, mismatch } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { SubscriptionSpec } from "../subscriptions.ts";
import { encodeEmitted } from "../v0_10/events.ts";
import { encodeHashed, encodeTransaction } from "../v0_10/transaction.ts";
import { eventsForm, newHeadsForm, REORG_FORM, statusForm } from "../v0_10/ws.ts";
import { SUBSCRIPTIONS as NEWER } from "../v0_9/ws.ts";
import { BLOCK_ENCODERS } from "./block.ts";
import { encodeTransactionStatus } from "./status.ts";

/**
 * Subscriptions return ids as text, while the specification of unsubscribe has integers: both are accepted.
 */
const subscriptionId: Decoder<string> = {
  describe: "subscription id (integer or text)",
  schema: { anyOf: [{ type: "string" }, { type: "integer", minimum: 0 }] },
  decode(value, path) {
    if (typeof value === "string") return value;
    if (typeof value !== "number") return mismatch(path, subscriptionId.describe, value);
    return String(integer().decode(value, path));
  },
};

const PENDING = "subscriptionPendingTransactions";

/**
 * Subscriptions of version 0.8.1: events of accepted blocks, and transactions of the pending block instead of
 * transactions with their finality.
 */
export const SUBSCRIPTIONS: SubscriptionSpec = {
  ...NEWER,
  eventFinality: undefined,
  subscriptionId,
  forms: {
    reorg: REORG_FORM,
    receipts: undefined,
    transactions: undefined,
    transactionsWithProofFacts: undefined,
    newHeads: newHeadsForm(BLOCK_ENCODERS),
    events: eventsForm(({ emitted }) => encodeEmitted(emitted)),
    transactionStatus: statusForm(encodeTransactionStatus),
    pendingTransactions: {
      notification: PENDING,
      encode: ({ transaction }) =>
        encodeHashed(encodeTransaction, transaction, { proofFacts: false }),
    },
    pendingHashes: {
      notification: PENDING,
      encode: ({ transaction }) => hexFromFelt(transaction.hash),
    },
  },
};
