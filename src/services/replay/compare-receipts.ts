import {
  type HashedTransaction,
  l1MessageHash,
  type Receipt,
  type Transaction,
} from "#protocol/chain/index.ts";
import type { RemoteReceipt } from "#io/client/index.ts";
import { requireSame, requireSameList, type TransactionPlace } from "./difference.ts";
import { GAS_MEMBERS } from "./gas-members.ts";

/** The compared part of another node's receipt. */
export interface ReportedReceipt extends Omit<
  RemoteReceipt,
  "transactionHash" | "finality" | "gas"
> {
  /** `undefined` when the block's receipts lack it. */
  readonly gas: RemoteReceipt["gas"] | undefined;
}

/**
 * Compares the receipt of a re-executed transaction with the node's.
 *
 * @throws {DifferenceFound} at the first field that differs
 */
export function compareReceipts(
  { hash, transaction }: HashedTransaction,
  ours: Receipt,
  theirs: ReportedReceipt,
  index: number,
): void {
  const place: TransactionPlace = { index, hash };
  const same = <T extends string | bigint | number>(field: string, a: T, b: T): void =>
    requireSame(`receipt.${field}`, a, b, place);
  same("type", transaction.type, theirs.type);
  same("execution_status", statusText(ours), statusText(theirs));
  if (ours.status.kind === "reverted" && theirs.status.kind === "reverted") {
    same("revert_reason", ours.status.reason, theirs.status.reason);
  }
  same("events.length", ours.events.length, theirs.events.length);
  for (const [i, event] of ours.events.entries()) {
    const other = theirs.events[i] ?? event;
    same(`events[${i}].from_address`, event.fromAddress, other.fromAddress);
    requireSameList(`receipt.events[${i}].keys`, event.keys, other.keys, place);
    requireSameList(`receipt.events[${i}].data`, event.data, other.data, place);
  }
  same("messages_sent.length", ours.messages.length, theirs.messages.length);
  for (const [i, message] of ours.messages.entries()) {
    const other = theirs.messages[i] ?? message;
    same(`messages_sent[${i}].from_address`, message.fromAddress, other.fromAddress);
    same(`messages_sent[${i}].to_address`, message.toAddress, other.toAddress);
    requireSameList(`receipt.messages_sent[${i}].payload`, message.payload, other.payload, place);
  }
  for (const [name, member] of GAS_MEMBERS) {
    if (theirs.gas === undefined) continue;
    same(`execution_resources.${name}`, String(ours.gas[member]), String(theirs.gas[member]));
  }
  same("actual_fee.amount", ours.actualFee, theirs.actualFee);
  same("actual_fee.unit", ours.feeUnit, theirs.feeUnit);
  compareTypeMembers(transaction, theirs, place);
}

function statusText({ status }: Pick<Receipt, "status">): string {
  return status.kind === "succeeded" ? "SUCCEEDED" : "REVERTED";
}

/** Compares members that depend on the transaction type; some nodes omit them. */
function compareTypeMembers(
  transaction: Transaction,
  { contractAddress, messageHash }: ReportedReceipt,
  place: TransactionPlace,
): void {
  const isDeployment = transaction.type === "DEPLOY" || transaction.type === "DEPLOY_ACCOUNT";
  if (isDeployment && contractAddress !== undefined) {
    const field = "receipt.contract_address";
    requireSame(field, transaction.contractAddress, contractAddress, place);
  }
  if (transaction.type === "L1_HANDLER" && messageHash !== undefined) {
    requireSame("receipt.message_hash", l1MessageHash(transaction), messageHash, place);
  }
}
