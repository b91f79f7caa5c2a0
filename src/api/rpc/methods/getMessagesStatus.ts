import { compareFelts, type Felt } from "#base/primitives/index.ts";
import { method, required } from "../method.ts";
import { type ExecutedTransaction, findExecuted } from "./shared.ts";

/** starknet_getMessagesStatus. */
export const getMessagesStatus = method({
  name: "getMessagesStatus",
  family: "read",
  runsOn: "main",
  summary: "Where the messages of a transaction on L1 stand, in the order that they were sent in.",
  params: (spec) => ({ transaction_hash: required(spec.l1TransactionHash) }),
  result: (spec) => (answers: readonly ExecutedTransaction[]) => answers.map(spec.messageStatus),
  errors: ["TXN_HASH_NOT_FOUND"],
  handler(context, { transaction_hash: l1Hash }, fail) {
    const consumed = context.chain.messagesOfL1Transaction(l1Hash);
    const executed = consumed.flatMap(
      ({ transactionHash }) => findExecuted(context, transactionHash) ?? [],
    );
    if (executed.length === 0) return fail("TXN_HASH_NOT_FOUND");
    return executed.sort((a, b) => compareFelts(nonceOf(a), nonceOf(b)));
  },
});

/** The core contract counts messages up. */
function nonceOf({ transaction: { transaction } }: ExecutedTransaction): Felt {
  return transaction.type === "L1_HANDLER" ? transaction.nonce : 0n;
}
