import { felt, integer, literal } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { LOG_LEVELS } from "#base/telemetry/index.ts";
import type { DropOutcome, ListedTransaction, MempoolListing } from "#services/admission/index.ts";
import type { RpcContext } from "../context.ts";
import { NotServedError } from "../errors.ts";
import { type Method, method, optional, required } from "../method.ts";
import { type AdminAccess, MAX_LISTED } from "./access.ts";

const DEFAULT_LISTED = 100;

/** appchain_getMempool. */
const getMempool = method({
  name: "appchain_getMempool",
  family: "read",
  runsOn: "main",
  summary: "Transactions that wait for a block, in the order of their arrival.",
  params: () => ({
    offset: optional(integer(0, Number.MAX_SAFE_INTEGER), 0),
    limit: optional(integer(1, MAX_LISTED), DEFAULT_LISTED),
  }),
  result: () => encodeListing,
  errors: [],
  handler: (context, { offset, limit }) => adminOf(context).mempool(offset, limit),
});

/** appchain_dropTransaction. */
const dropTransaction = method({
  name: "appchain_dropTransaction",
  family: "write",
  runsOn: "main",
  summary: "Takes a waiting transaction out of the mempool for good.",
  params: () => ({ transaction_hash: required(felt) }),
  result: () => (outcome: DropOutcome) => ({ outcome: outcome.toUpperCase() }),
  errors: [],
  handler: (context, { transaction_hash: hash }) => adminOf(context).dropTransaction(hash),
});

/** appchain_closeBlock. */
const closeBlock = method({
  name: "appchain_closeBlock",
  family: "write",
  runsOn: "main",
  summary: "Closes the block being built, an empty one too.",
  params: () => ({}),
  result:
    () =>
    ({ number, hash }: { readonly number: number; readonly hash: bigint }) => ({
      block_number: number,
      block_hash: hexFromFelt(hash),
    }),
  errors: [],
  handler(context) {
    const admin = adminOf(context);
    if (admin.closeBlock === undefined) {
      throw new NotServedError("blocks of this chain close by its own rules: no development chain");
    }
    return admin.closeBlock();
  },
});

/** appchain_setLogLevel. */
const setLogLevel = method({
  name: "appchain_setLogLevel",
  family: "write",
  runsOn: "main",
  summary: "Sets which lines the log has, until the node ends; gives the level before.",
  params: () => ({ level: required(literal(...LOG_LEVELS)) }),
  result: () => (previous: string) => ({ previous }),
  errors: [],
  handler: (context, { level }) => adminOf(context).setLogLevel(level),
});

/** Methods for whoever runs the node, by their whole names. */
export const ADMIN_METHODS: readonly Method[] = [
  getMempool,
  dropTransaction,
  closeBlock,
  setLogLevel,
];

function adminOf({ admin }: RpcContext): AdminAccess {
  if (admin === undefined) throw new NotServedError("this node has no admin methods");
  return admin;
}

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
