import { compareFelts, type Felt } from "#base/primitives/index.ts";
import { method, required } from "../method.ts";
import { list } from "../spec/schemas/common.ts";
import { type ExecutedTransaction, findExecuted } from "./shared.ts";

/** starknet_getMessagesStatus. */
export const getMessagesStatus = method({
  name: "getMessagesStatus",
  family: "read",
  runsOn: "main",
  summary: "Where the messages of a transaction on L1 stand, in the order that they were sent in.",
  params: (spec) => ({ transaction_hash: required(spec.l1TransactionHash) }),
  result: (spec) => (answers: readonly ExecutedTransaction[]) => answers.map(spec.messageStatus),
  answer: (spec) => list(spec.schemas.messageStatus),
  errors: ["TXN_HASH_NOT_FOUND"],
  handler(context, { transaction_hash: l1Hash }, fail) {
    const accepted = context.chain.messagesOfL1Transaction(l1Hash);
    const above = context
      .unaccepted()
      .flatMap((block) => block.messagesOfL1Transaction?.(l1Hash) ?? []);
    // A block is in both places for a moment when it is accepted.
    const hashes = new Set([...accepted.map(({ transactionHash }) => transactionHash), ...above]);
    const executed = [...hashes].flatMap((hash) => findExecuted(context, hash) ?? []);
    if (executed.length === 0) return fail("TXN_HASH_NOT_FOUND");
    return executed.sort((a, b) => compareFelts(nonceOf(a), nonceOf(b)));
  },
});

/** The core contract counts messages up. */
function nonceOf({ transaction: { transaction } }: ExecutedTransaction): Felt {
  return transaction.type === "L1_HANDLER" ? transaction.nonce : 0n;
}
