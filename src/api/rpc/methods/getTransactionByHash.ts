import type { HashedTransaction } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { MainContext, RemoteTransaction, WaitingTransaction } from "../context.ts";
import type { Fail } from "../errors.ts";
import { method, optional, required } from "../method.ts";
import { transactionCacheKey } from "./cache-keys.ts";
import { findTransaction } from "./find-transaction.ts";
import { notFound } from "./shared.ts";

/**
 * JSON-RPC method `starknet_getTransactionByHash`: a transaction by hash, from a block, the block
 * being built, or the mempool.
 */
export const getTransactionByHash = method({
  name: "getTransactionByHash",
  family: "read",
  runsOn: "main",
  summary: "A transaction by hash, from a block, the block being built, or the mempool.",
  params: (spec) => ({
    transaction_hash: required(spec.felt),
    response_flags: optional(spec.transactionFlags, []),
  }),
  result: (spec) => spec.transaction,
  answer: (spec) => spec.schemas.transaction,
  errors: ["TXN_HASH_NOT_FOUND"],
  cacheKey(context, { transaction_hash: hash, response_flags }) {
    const name = transactionCacheKey(context, hash);
    return name && `${name} ${response_flags.includes("INCLUDE_PROOF_FACTS")}`;
  },
  handler(context, { transaction_hash: hash, response_flags }, fail) {
    const options = { proofFacts: response_flags.includes("INCLUDE_PROOF_FACTS") };
    const found = findTransaction(context, hash);
    if (found !== undefined) return { transaction: found, options };
    return waiting(context, hash, fail).then((transaction) => ({ transaction, options }));
  },
});

/** Returns the content of a transaction that is in no block yet, if this node has it. */
async function waiting(
  context: MainContext,
  hash: Felt,
  fail: Fail<"TXN_HASH_NOT_FOUND">,
): Promise<WaitingTransaction | HashedTransaction> {
  return (
    contentsOf(await context.mempool.find(hash)) ??
    // It may have moved from the mempool to a block during the lookup.
    findTransaction(context, hash) ??
    notFound(context, hash, fail)
  );
}

/** The content of a transaction that only another node has is unknown. */
function contentsOf(
  waiting: WaitingTransaction | RemoteTransaction | undefined,
): WaitingTransaction | undefined {
  return waiting?.transaction === undefined ? undefined : waiting;
}
