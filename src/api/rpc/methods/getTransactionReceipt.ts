import { method, required } from "../method.ts";
import { transactionStatusCacheKey } from "./cache-keys.ts";
import { findExecuted, notFound } from "./shared.ts";

/** JSON-RPC method `starknet_getTransactionReceipt`: the receipt of an executed transaction. */
export const getTransactionReceipt = method({
  name: "getTransactionReceipt",
  family: "read",
  runsOn: "main",
  summary: "The receipt of an executed transaction.",
  params: (spec) => ({ transaction_hash: required(spec.felt) }),
  result: (spec) => spec.receipt,
  answer: (spec) => spec.schemas.receipt,
  errors: ["TXN_HASH_NOT_FOUND"],
  cacheKey: (context, { transaction_hash }) => transactionStatusCacheKey(context, transaction_hash),
  handler(context, { transaction_hash: hash }, fail) {
    const executed = findExecuted(context, hash);
    if (executed === undefined) return notFound(context, hash, fail);
    if (executed.finality === "PRE_CONFIRMED") return executed;
    const header = context.chain.header(executed.blockNumber) ?? fail("TXN_HASH_NOT_FOUND");
    return { ...executed, blockHash: header.hash };
  },
});
