import { type TransactionEncoder, transactionEncoder } from "../v0_10/transaction.ts";
import { encodeBounds } from "./bounds.ts";

/** TXN. */
export const encodeTransaction: TransactionEncoder = transactionEncoder(encodeBounds);
