import { type TransactionEncoder, transactionEncoder } from "../v0_10/transaction.ts";
import { encodeBounds } from "./bounds.ts";

/** Encodes TXN of JSON-RPC 0.7: a transaction without its hash. */
export const encodeTransaction: TransactionEncoder = transactionEncoder(encodeBounds);
