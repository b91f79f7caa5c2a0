import { compareFelts, type Felt } from "#base/primitives/index.ts";
import { requireLocation } from "../fork/locate.ts";
import { notBefore } from "../block-id.ts";
import type { MainContext } from "../context.ts";
import { method, required } from "../method.ts";
import { list } from "../spec/schemas/common.ts";
import type { MessageStatusAnswer } from "../spec/version.ts";
import { type ExecutedTransaction, findExecuted } from "./shared.ts";

/**
 * JSON-RPC method `starknet_getMessagesStatus`: statuses of the messages of a transaction on L1, in
 * the order in which they were sent.
 */
export const getMessagesStatus = method({
  name: "getMessagesStatus",
  family: "read",
  runsOn: "main",
  summary: "Statuses of the messages of a transaction on L1, in the order in which they were sent.",
  params: (spec) => ({ transaction_hash: required(spec.l1TransactionHash) }),
  result: (spec) => spec.messageStatuses,
  answer: (spec) => list(spec.schemas.messageStatus),
  errors: ["TXN_HASH_NOT_FOUND"],
  handler(context, { transaction_hash: l1Hash }, fail) {
    // Read first: a message executed in between is then found among the executed ones.
    const sent = context.l1Messages.ofL1Transaction(l1Hash);
    const hashes = new Set(sent.map(({ transactionHash }) => transactionHash));
    for (const hash of consumedBy(context, l1Hash)) hashes.add(hash);
    const nonces = new Map(sent.map(({ transactionHash, nonce }) => [transactionHash, nonce]));
    const statuses = [...hashes].flatMap((hash): readonly Numbered[] => {
      const executed = findExecuted(context, hash);
      if (executed !== undefined) {
        return [{ nonce: nonceOf(executed), status: { kind: "executed", ...executed } }];
      }
      requireLocation(context, hash);
      const isWaiting = sent.some((one) => one.transactionHash === hash && one.isWaiting);
      const nonce = nonces.get(hash) ?? 0n;
      return isWaiting ? [{ nonce, status: { kind: "received", transactionHash: hash } }] : [];
    });
    const isOlder = hasOlder(context, l1Hash);
    if (statuses.length === 0 && (sent.length === 0 || isOlder)) {
      const reason = isOlder ? notBefore(context.chain.oldestBlock()) : undefined;
      return fail("TXN_HASH_NOT_FOUND", reason);
    }
    return statuses.sort((a, b) => compareFelts(a.nonce, b.nonce)).map(({ status }) => status);
  },
});

/** Whether one of the messages was consumed by a block before the snapshot, which is not stored. */
function hasOlder({ chain }: MainContext, l1Hash: bigint): boolean {
  const oldest = chain.oldestBlock();
  if (oldest === 0) return false;
  return chain.messagesOfL1Transaction(l1Hash).some(({ blockNumber }) => blockNumber < oldest);
}

/** Status with the message's nonce, which the core contract increments for each message. */
interface Numbered {
  readonly nonce: bigint;
  readonly status: MessageStatusAnswer;
}

/** Returns the transactions that have consumed messages of a transaction on L1. */
function consumedBy(context: MainContext, l1Hash: bigint): readonly Felt[] {
  return [
    ...context.chain.messagesOfL1Transaction(l1Hash).map(({ transactionHash }) => transactionHash),
    ...context.unaccepted().flatMap((block) => block.messagesOfL1Transaction?.(l1Hash) ?? []),
  ];
}

function nonceOf({ transaction: { transaction } }: ExecutedTransaction): Felt {
  return transaction.type === "L1_HANDLER" ? transaction.nonce : 0n;
}
