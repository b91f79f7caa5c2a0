import type { Felt } from "#base/primitives/index.ts";
import {
  type BlockHeader,
  blockHashMismatch,
  commitmentMismatch,
  computeCommitments,
  deployedAddressMismatch,
  hasEarlyHashes,
  type HashedTransaction,
  inHashedForm,
  transactionHashMismatch,
} from "#protocol/chain/index.ts";
import { protocolRules } from "#protocol/versions/index.ts";
import type { GatewayHeader, GatewayWholeBlock } from "#io/feeder/index.ts";
import type { SyncRefusal } from "../ports.ts";
import { refusalOf, refusalOfMismatch } from "./refusal.ts";

/** A value, or why there is none. */
export type OrRefusal<T> =
  | { readonly kind: "passed"; readonly value: T }
  | { readonly kind: "refused"; readonly refusal: SyncRefusal };

/**
 * Recomputes the hashes of a block's transactions, and takes each in the form that its hash is of. The
 * class and the salt of an early deploy, which its hash does not cover, must give its address. No
 * transaction stands twice, and no message from L1 is consumed twice, but for those of mainnet's first
 * blocks, which have no number that would make them different.
 */
export function checkTransactions(
  { block: { header, transactions } }: GatewayWholeBlock,
  chainId: Felt,
): OrRefusal<readonly HashedTransaction[]> {
  const { number: blockNumber } = header;
  const mayRepeat = hasEarlyHashes(chainId, blockNumber);
  const hashes = new Set<Felt>();
  const nonces = new Set<Felt>();
  const formed: HashedTransaction[] = [];
  for (const [index, told] of transactions.entries()) {
    const { hash, transaction } = inHashedForm(told.transaction, told.hash, chainId);
    const mismatch =
      hash === told.hash
        ? undefined
        : transactionHashMismatch(told, { chainId, blockNumber, index });
    const refusal = refusalOfMismatch(
      blockNumber,
      mismatch ?? deployedAddressMismatch(transaction, index),
    );
    if (refusal !== undefined) return { kind: "refused", refusal };
    const nonce = transaction.type === "L1_HANDLER" ? transaction.nonce : undefined;
    const isRepeated = hashes.has(told.hash) || (nonce !== undefined && nonces.has(nonce));
    if (isRepeated && !mayRepeat) {
      return { kind: "refused", refusal: repeated(blockNumber, index, told.hash) };
    }
    hashes.add(told.hash);
    if (nonce !== undefined) nonces.add(nonce);
    formed.push({ hash: told.hash, transaction });
  }
  return { kind: "passed", value: formed };
}

function repeated(blockNumber: number, index: number, hash: Felt): SyncRefusal {
  return refusalOf(blockNumber, {
    check: "transaction_hash",
    field: `transaction ${index}`,
    expected: "one that stands in the block, and whose message from L1 is consumed, once",
    found: hash,
  });
}

/**
 * Recomputes commitments and hash of a block, and compares them with those that are told: the header
 * with what was computed.
 */
export function checkHeader(
  { block: { header: told, receipts }, update }: GatewayWholeBlock,
  transactions: readonly HashedTransaction[],
  chainId: Felt,
): OrRefusal<BlockHeader> {
  const { number: blockNumber, protocolVersion } = told;
  const body = { transactions, receipts, stateDiff: update.stateDiff };
  const commitments = computeCommitments(body, protocolVersion);
  const header = headerOf(told, commitments);
  const refusal =
    refusalOfMismatch(blockNumber, commitmentMismatch(commitments, comparable(told))) ??
    refusalOfMismatch(blockNumber, blockHashMismatch(header, chainId)) ??
    updateRefusal(header, update);
  return refusal === undefined ? { kind: "passed", value: header } : { kind: "refused", refusal };
}

function headerOf(
  told: GatewayHeader,
  commitments: ReturnType<typeof computeCommitments>,
): BlockHeader {
  const { status: _, ...header } = told;
  return { ...header, ...commitments };
}

/** Of old blocks of mainnet commitments are told as 0, whatever the block's hash has. */
function comparable(told: GatewayHeader): Parameters<typeof commitmentMismatch>[1] {
  const {
    transactionCommitment,
    eventCommitment,
    receiptCommitment,
    stateDiffCommitment,
    stateDiffLength,
  } = told;
  const isOld = protocolRules(told.protocolVersion).blockCommitments === "pedersen";
  const known = (value: Felt | undefined) => (isOld && value === 0n ? undefined : value);
  return {
    transactionCommitment: known(transactionCommitment),
    eventCommitment: known(eventCommitment),
    receiptCommitment: known(receiptCommitment),
    stateDiffCommitment: known(stateDiffCommitment),
    stateDiffLength,
  };
}

/** The state update is that of the block. */
function updateRefusal(
  { number, hash, newRoot }: BlockHeader,
  update: GatewayWholeBlock["update"],
): SyncRefusal | undefined {
  if (update.blockHash !== hash) {
    const field = "block_hash of the state update";
    const found = update.blockHash;
    return refusalOf(number, { check: "block_hash", field, expected: hash, found });
  }
  if (update.newRoot !== newRoot) {
    const field = "new_root of the state update";
    const found = update.newRoot;
    return refusalOf(number, { check: "state_root", field, expected: newRoot, found });
  }
  return undefined;
}
