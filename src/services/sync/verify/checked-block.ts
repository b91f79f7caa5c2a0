import type { Felt } from "#base/primitives/index.ts";
import {
  type ReceivedBundle,
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

/** Parts of a block that has passed its checks. */
export interface CheckedParts {
  readonly header: BlockHeader;
  readonly status: GatewayBlockStatus;
  readonly signature: GatewaySignature;
  readonly transactions: readonly HashedTransaction[];
  readonly receipts: readonly Receipt[];
  readonly stateDiff: StateDiff;
}

/** Converts a gateway's block to the form for the block applier. */
export function checkedBlock(parts: CheckedParts): CheckedBlock {
  const { header, status, signature, transactions, receipts, stateDiff } = parts;
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
    ...namesOf(header),
    isOnL1: status === "ACCEPTED_ON_L1",
    bundle,
    epoch: null,
    classes: classesOf(stateDiff),
    carried: [],
  };
}

/** Converts a bundle to the form for the block applier; its parts stay as received. */
export function arrivedBlock({
  block,
  epoch,
  classes,
  withoutClasses,
}: ReceivedBundle): CheckedBlock {
  return {
    ...namesOf(block.header),
    // Bundles are written before their blocks are accepted on L1.
    isOnL1: false,
    bundle: withoutClasses,
    epoch,
    classes: classesOf(block.stateDiff),
    carried: classes.map(({ classHash, bytes, casmJson }) => ({
      classHash,
      contractClass: bytes,
      casmJson,
    })),
  };
}

function namesOf({ number, hash, parentHash, timestamp, protocolVersion }: BlockHeader) {
  return { kind: "checked", number, hash, parentHash, timestamp, protocolVersion } as const;
}

/**
 * Returns the messages from L1 that a block consumed. Gateways do not report their origins. If several
 * messages have the same number (those without a number in mainnet's first blocks), the first is kept: they
 * are indistinguishable.
 */
export function inputsOf(transactions: readonly HashedTransaction[]): BlockInputs {
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

/** Returns the classes that a block needs: those that it declares, then those that it gives to contracts. */
export function classesOf(diff: StateDiff): readonly DeclaredClassHash[] {
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
