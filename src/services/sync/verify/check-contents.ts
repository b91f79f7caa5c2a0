import type { Felt } from "#base/primitives/index.ts";
import {
  type BlockHeader,
  blockHashMismatch,
  commitmentMismatch,
  computeCommitments,
  deployedAddressMismatch,
  hasEarlyHashes,
  type HashedTransaction,
  withHashedBounds,
  transactionHashMismatch,
} from "#protocol/chain/index.ts";
import { protocolRules } from "#protocol/versions/index.ts";
import type { GatewayHeader, GatewayWholeBlock } from "#io/feeder/index.ts";
import type { SyncRefusal } from "../ports.ts";
import { refusalOf, refusalOfMismatch } from "./refusal.ts";

/** Value, or the refusal that replaces it. */
export type OrRefusal<T> =
  | { readonly kind: "passed"; readonly value: T }
  | { readonly kind: "refused"; readonly refusal: SyncRefusal };

/**
 * Recomputes the hashes of a block's transactions, and returns each in the form that is hashed. Class and
 * salt of an early deploy, which its hash does not cover, must give its address. No transaction may occur
 * twice, and no message from L1 may be consumed twice, except for messages in mainnet's first blocks, which
 * have no nonce to distinguish them.
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
  for (const [index, reported] of transactions.entries()) {
    const { hash, transaction } = withHashedBounds(reported.transaction, reported.hash, chainId);
    const mismatch =
      hash === reported.hash
        ? undefined
        : transactionHashMismatch(reported, { chainId, blockNumber, index });
    const refusal = refusalOfMismatch(
      blockNumber,
      mismatch ?? deployedAddressMismatch(transaction, index),
    );
    if (refusal !== undefined) return { kind: "refused", refusal };
    const nonce = transaction.type === "L1_HANDLER" ? transaction.nonce : undefined;
    const isRepeated = hashes.has(reported.hash) || (nonce !== undefined && nonces.has(nonce));
    if (isRepeated && !mayRepeat) {
      return { kind: "refused", refusal: repeated(blockNumber, index, reported.hash) };
    }
    hashes.add(reported.hash);
    if (nonce !== undefined) nonces.add(nonce);
    formed.push({ hash: reported.hash, transaction });
  }
  return { kind: "passed", value: formed };
}

function repeated(blockNumber: number, index: number, hash: Felt): SyncRefusal {
  return refusalOf(blockNumber, {
    check: "transaction_hash",
    field: `transaction ${index}`,
    expected: "a transaction that occurs, and whose message from L1 is consumed, only once",
    found: hash,
  });
}

/**
 * Recomputes commitments and hash of a block, and compares them with the reported ones. Returns the header
 * with the computed values.
 */
export function checkHeader(
  { block: { header: reported, receipts }, update }: GatewayWholeBlock,
  transactions: readonly HashedTransaction[],
  chainId: Felt,
): OrRefusal<BlockHeader> {
  const { number: blockNumber, protocolVersion } = reported;
  const body = { transactions, receipts, stateDiff: update.stateDiff };
  const commitments = computeCommitments(body, protocolVersion);
  const header = headerOf(reported, commitments);
  const refusal =
    refusalOfMismatch(blockNumber, commitmentMismatch(commitments, comparable(reported))) ??
    refusalOfMismatch(blockNumber, blockHashMismatch(header, chainId)) ??
    updateRefusal(header, update);
  return refusal === undefined ? { kind: "passed", value: header } : { kind: "refused", refusal };
}

function headerOf(
  reported: GatewayHeader,
  commitments: ReturnType<typeof computeCommitments>,
): BlockHeader {
  const { status: _, ...header } = reported;
  return { ...header, ...commitments };
}

/**
 * Selects the commitments to compare. Old mainnet blocks are reported with commitments of 0, regardless of
 * the values in the block's hash.
 */
function comparable(reported: GatewayHeader): Parameters<typeof commitmentMismatch>[1] {
  const {
    transactionCommitment,
    eventCommitment,
    receiptCommitment,
    stateDiffCommitment,
    stateDiffLength,
  } = reported;
  const isOld = protocolRules(reported.protocolVersion).blockCommitments === "pedersen";
  const known = (value: Felt | undefined) => (isOld && value === 0n ? undefined : value);
  return {
    transactionCommitment: known(transactionCommitment),
    eventCommitment: known(eventCommitment),
    receiptCommitment: known(receiptCommitment),
    stateDiffCommitment: known(stateDiffCommitment),
    stateDiffLength,
  };
}

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
