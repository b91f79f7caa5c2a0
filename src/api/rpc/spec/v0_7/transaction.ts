import { type TransactionEncoder, transactionEncoder } from "../v0_10/transaction.ts";
import { encodeBounds } from "./bounds.ts";

/** Encodes TXN: a transaction without its hash. */
export const encodeTransaction: TransactionEncoder = transactionEncoder(encodeBounds);
