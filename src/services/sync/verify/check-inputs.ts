import type { BlockInputs, HashedTransaction } from "#protocol/chain/index.ts";
import type { SyncRefusal } from "../ports.ts";
import { inputsOf } from "./checked-block.ts";
import { refusalOf } from "./refusal.ts";

/**
 * Checks that the inputs of a block are the messages from L1 that its transactions consume. The L1 block, the
 * L1 transaction and the fee of a message cannot be verified from the block, so they are trusted. A message
 * that paid no fee is refused, since no block contains such a message.
 */
export function checkInputs(
  blockNumber: number,
  transactions: readonly HashedTransaction[],
  { l1Messages }: BlockInputs,
): SyncRefusal | undefined {
  for (const [i, { transaction }] of transactions.entries()) {
    if (transaction.type !== "L1_HANDLER" || transaction.paidFeeOnL1 !== 0n) continue;
    const field = `paid_fee_on_l1 of transaction ${i}`;
    return refusalOf(blockNumber, { check: "inputs", field, expected: "more than 0", found: 0 });
  }
  const expected = inputsOf(transactions).l1Messages;
  if (l1Messages.length !== expected.length) {
    const counts = { expected: expected.length, found: l1Messages.length };
    return refusalOf(blockNumber, { check: "inputs", field: "messages from L1", ...counts });
  }
  for (const [i, message] of expected.entries()) {
    const reported = l1Messages[i];
    for (const name of ["transactionHash", "nonce", "messageHash"] as const) {
      if (reported?.[name] === message[name]) continue;
      const field = `${NAMES[name]} of message ${i} from L1`;
      const difference = { field, expected: message[name], found: reported?.[name] };
      return refusalOf(blockNumber, { check: "inputs", ...difference });
    }
  }
  return undefined;
}

const NAMES = {
  transactionHash: "transaction_hash",
  nonce: "nonce",
  messageHash: "message_hash",
} as const;
