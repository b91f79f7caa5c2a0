import type { BlockHeader } from "#protocol/chain/index.ts";
import { type Decoder, type JsonObject, literal, text } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { BlockId } from "../../block-id.ts";
import { blockIdDecoder } from "../block-ids.ts";
import type {
  EventNotice,
  Form,
  NotificationForms,
  Reorg,
  StatusNotice,
  SubscriptionSpec,
  TransactionNotice,
} from "../subscriptions.ts";
import type { BlockHead, Encoder, TransactionStatusAnswer } from "../version.ts";
import { BLOCK_ENCODERS, type BlockEncoders } from "./block.ts";
import { oneOrManyAddresses } from "./event-filter.ts";
import { encodeEmitted } from "./events.ts";
import { transactionFlags } from "./ids.ts";
import { encodeReceiptAnswer, encodeTransactionStatus } from "./receipt.ts";
import { encodeHashed, encodeTransaction } from "./transaction.ts";

/** Decoder of SUBSCRIPTION_BLOCK_ID of JSON-RPC 0.10: a block id whose only tag is `latest`. */
export const subscriptionBlockId: Decoder<BlockId> = blockIdDecoder(
  { latest: "latest" },
  "SUBSCRIPTION_BLOCK_ID",
);

/** Parameter `finality_status` of subscribeEvents: minimum finality of the reported events. */
export const eventFinality: Decoder<"PRE_CONFIRMED" | "ACCEPTED_ON_L2"> = literal(
  "PRE_CONFIRMED",
  "ACCEPTED_ON_L2",
);

/**
 * Creates the BLOCK_HEADER notifications of a version.
 *
 * @param encoders - block encoders of the version: a header has their members without status and transactions
 */
export function newHeadsForm({
  blockWithHashes,
}: Pick<BlockEncoders, "blockWithHashes">): Form<BlockHeader> {
  return {
    notification: "subscriptionNewHeads",
    encode(header) {
      const head: BlockHead = { kind: "sealed", finality: "ACCEPTED_ON_L2", header };
      const block = blockWithHashes({ head, hashes: [] }) as JsonObject;
      const { status: _, transactions: __, ...members } = block;
      return members;
    },
  };
}

/** Creates the NEW_TXN_STATUS notifications of a version. */
export function statusForm(encodeStatus: Encoder<TransactionStatusAnswer>): Form<StatusNotice> {
  return {
    notification: "subscriptionTransactionStatus",
    encode: ({ transactionHash, status }) => ({
      transaction_hash: hexFromFelt(transactionHash),
      status: encodeStatus(status),
    }),
  };
}

/** Creates the event notifications of a version. */
export function eventsForm(encode: (notice: EventNotice) => JsonObject): Form<EventNotice> {
  return { notification: "subscriptionEvents", encode };
}

/** Creates the notifications of transactions with their finality. */
export function transactionsForm(proofFacts: boolean): Form<TransactionNotice> {
  return {
    notification: "subscriptionNewTransaction",
    encode: ({ transaction, finality }) => ({
      ...encodeHashed(encodeTransaction, transaction, { proofFacts }),
      finality_status: finality,
    }),
  };
}

/** Form of REORG_DATA notifications, which every version encodes in the same way. */
export const REORG_FORM: Form<Reorg> = {
  notification: "subscriptionReorg",
  encode: ({ starting, ending }) => ({
    starting_block_hash: hexFromFelt(starting.hash),
    starting_block_number: starting.number,
    ending_block_hash: hexFromFelt(ending.hash),
    ending_block_number: ending.number,
  }),
};

/** Notification forms shared by the versions with pre-confirmed transactions; events differ. */
export const SHARED_FORMS: Pick<
  NotificationForms,
  | "transactionStatus"
  | "receipts"
  | "transactions"
  | "pendingTransactions"
  | "pendingHashes"
  | "reorg"
> = {
  transactionStatus: statusForm(encodeTransactionStatus),
  receipts: { notification: "subscriptionNewTransactionReceipts", encode: encodeReceiptAnswer },
  transactions: transactionsForm(false),
  pendingTransactions: undefined,
  pendingHashes: undefined,
  reorg: REORG_FORM,
};

/** Subscriptions of version 0.10.2. */
export const SUBSCRIPTIONS: SubscriptionSpec = {
  blockId: subscriptionBlockId,
  fromAddress: oneOrManyAddresses,
  eventFinality,
  tags: transactionFlags,
  subscriptionId: text,
  notifiedOfReorgs: new Set([
    "newHeads",
    "events",
    "transactionStatus",
    "receipts",
    "transactions",
  ]),
  forms: {
    ...SHARED_FORMS,
    newHeads: newHeadsForm(BLOCK_ENCODERS),
    transactionsWithProofFacts: transactionsForm(true),
    events: eventsForm(({ emitted, finality }) => ({
      ...encodeEmitted(emitted),
      transaction_index: emitted.transactionIndex,
      event_index: emitted.eventIndex,
      finality_status: finality,
    })),
  },
};
