import type { Felt } from "#base/primitives/index.ts";
import {
  type BlockHeader,
  type BlockInputs,
  bundleFromParts,
  encodeBlockInputs,
  encodeHeader,
  encodeReceipt,
  encodeStateDiff,
  encodeTransaction,
  type HashedTransaction,
  l1MessageHash,
  type Receipt,
  type StateDiff,
} from "#protocol/chain/index.ts";
import type { GatewayBlockStatus, GatewaySignature } from "#io/feeder/index.ts";
import type { CheckedBlock, DeclaredClassHash } from "../ports.ts";

/** The parts of a block whose checks are done. */
export interface CheckedParts {
  readonly header: BlockHeader;
  readonly status: GatewayBlockStatus;
  readonly signature: GatewaySignature;
  readonly transactions: readonly HashedTransaction[];
  readonly receipts: readonly Receipt[];
  readonly stateDiff: StateDiff;
}

/** A block as it goes to whoever applies it. */
export function checkedBlock(parts: CheckedParts): CheckedBlock {
  const { header, status, signature, transactions, receipts, stateDiff } = parts;
  const { number, hash, parentHash, timestamp, protocolVersion } = header;
  const bundle = bundleFromParts({
    header: encodeHeader(header),
    signature,
    epoch: 0,
    inputs: encodeBlockInputs(inputsOf(transactions)),
    transactions: transactions.map(encodeTransaction),
    receipts: receipts.map(encodeReceipt),
    stateDiff: encodeStateDiff(stateDiff),
    classes: [],
  });
  return {
    kind: "checked",
    number,
    hash,
    parentHash,
    timestamp,
    protocolVersion,
    isOnL1: status === "ACCEPTED_ON_L1",
    bundle,
    classes: classesOf(stateDiff),
  };
}

/**
 * The messages from L1 that a block consumed. Where they came from no gateway tells. Of messages with one
 * number, those of mainnet's first blocks that have none, the first is kept: they cannot be told apart.
 */
function inputsOf(transactions: readonly HashedTransaction[]): BlockInputs {
  const messages = new Map<Felt, BlockInputs["l1Messages"][number]>();
  for (const { hash: transactionHash, transaction } of transactions) {
    if (transaction.type !== "L1_HANDLER" || messages.has(transaction.nonce)) continue;
    messages.set(transaction.nonce, {
      transactionHash,
      nonce: transaction.nonce,
      messageHash: l1MessageHash(transaction),
      l1TransactionHash: null,
      l1BlockNumber: null,
    });
  }
  return { l1Messages: [...messages.values()] };
}

/** Classes that a block needs: those that it declares, then those that it gives to contracts. */
function classesOf(diff: StateDiff): readonly DeclaredClassHash[] {
  const classes = new Map<Felt, DeclaredClassHash>();
  for (const [classHash, compiledClassHash] of diff.declaredClasses) {
    const migratedHash = diff.migratedCompiledClasses.get(classHash) ?? null;
    classes.set(classHash, { classHash, compiledClassHash, migratedHash });
  }
  const others = [
    ...diff.deprecatedDeclaredClasses,
    ...diff.deployedContracts.values(),
    ...diff.replacedClasses.values(),
  ];
  for (const classHash of others) {
    if (classes.has(classHash)) continue;
    classes.set(classHash, { classHash, compiledClassHash: null, migratedHash: null });
  }
  return [...classes.values()];
}
