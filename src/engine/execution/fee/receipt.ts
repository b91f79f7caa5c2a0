import type { GasVector, LinearResources, OsTransactionKind } from "#protocol/versions/index.ts";
import { storageVariableKey } from "#protocol/crypto/index.ts";
import { ADDRESS_BOUND, type Felt } from "#base/primitives/index.ts";
import { type Changes, modifiedContracts, storageUpdateCount } from "#engine/state/index.ts";
import {
  addLinearResources,
  addResources,
  dropUnused,
  emptyResources,
  type MutableResources,
  poseidonManyResources,
} from "../resources.ts";
import type { TransactionContext } from "../transaction/context.ts";
import type { BlockContext, CallInfo, StateChangesCount, TransactionResources } from "../types.ts";
import { daGas, daWords, gasFee, transactionGas, vmGas } from "./gas-vector.ts";
import { messageSegmentLength } from "./messages.ts";
import { summarizeCalls } from "./summary.ts";

/** What a transaction costs. */
export interface Cost {
  readonly resources: TransactionResources;
  readonly gas: GasVector;
  readonly daGas: GasVector;
  readonly fee: bigint;
}

/** What of a transaction its cost depends on beside of what it did. */
export interface TransactionShape {
  readonly kind: OsTransactionKind;
  /** With the length of proof facts. */
  readonly calldataLength: number;
  readonly signatureLength: number;
  readonly codeSize: number;
  readonly hasProof: boolean;
  readonly l1HandlerPayloadSize: number | null;
  /** Declare 0 is free. */
  readonly isFree: boolean;
}

/** Storage key of the low half of an account's balance in a fee token. */
export function balanceKey(address: Felt): Felt {
  let key = balanceKeys.get(address);
  if (key === undefined) {
    key = storageVariableKey("ERC20_balances", address);
    // Keys are derived by hashing; a bounded memory of them is enough for the accounts of a block.
    if (balanceKeys.size > 100_000) balanceKeys.clear();
    balanceKeys.set(address, key);
  }
  return key;
}

const balanceKeys = new Map<Felt, Felt>();

/** Storage key of the high half: the next one. */
export function balanceHighKey(address: Felt): Felt {
  return (balanceKey(address) + 1n) % ADDRESS_BOUND;
}

/**
 * Changes as the fee counts them: the sender's balance, which the fee will change, is always
 * counted; the fee token contract, which every transaction changes, never.
 *
 * @param sender - `undefined` for messages from L1
 */
export function countForFee(
  changes: Changes,
  sender: Felt | undefined,
  feeToken: Felt,
): StateChangesCount {
  const { diff } = changes;
  const contracts = modifiedContracts(diff);
  let storageUpdates = storageUpdateCount(diff);
  if (sender !== undefined && diff.storageDiffs.get(feeToken)?.has(balanceKey(sender)) !== true) {
    storageUpdates++;
  }
  contracts.delete(feeToken);
  return {
    storageUpdates,
    classHashUpdates: diff.deployedContracts.size + diff.replacedClasses.size,
    compiledClassHashUpdates: diff.declaredClasses.size + diff.migratedCompiledClasses.size,
    modifiedContracts: contracts.size,
    allocatedKeys: changes.allocatedKeys,
  };
}

/** The cost of a transaction by what it did; the fee transfer's own cost is part of the OS tables. */
export function transactionCost(
  context: TransactionContext,
  shape: TransactionShape,
  calls: Iterable<CallInfo>,
  stateChanges: StateChangesCount,
  reverted: { readonly steps: number; readonly sierraGas: number },
): Cost {
  const { block } = context;
  const summary = summarizeCalls(calls, block.constants);
  const resources: TransactionResources = {
    transaction: dropUnused(summary.vmResources),
    os: osResources(block, shape, daWords(stateChanges)),
    revertedSteps: reverted.steps,
    sierraGas: summary.sierraGas,
    revertedSierraGas: BigInt(reverted.sierraGas),
    calldataLength: shape.calldataLength,
    signatureLength: shape.signatureLength,
    codeSize: shape.codeSize,
    hasProof: shape.hasProof,
    eventCount: summary.eventCount,
    eventKeys: summary.eventKeys,
    eventData: summary.eventData,
    messagePayloadLengths: summary.messagePayloadLengths,
    messageSegmentLength: messageSegmentLength(
      summary.messagePayloadLengths,
      shape.l1HandlerPayloadSize,
    ),
    l1HandlerPayloadSize: shape.l1HandlerPayloadSize,
    stateChanges,
  };
  return priceResources(context, resources, shape.isFree);
}

/** Prices what a transaction used. */
export function priceResources(
  context: TransactionContext,
  resources: TransactionResources,
  isFree: boolean,
): Cost {
  const { block, gasMode, prices, tip } = context;
  const gas = transactionGas(block.constants, resources, block.info.l1DaMode, gasMode);
  return {
    resources,
    gas,
    daGas: daGas(resources.stateChanges, block.info.l1DaMode),
    fee: isFree ? 0n : gasFee(gas, prices, tip),
  };
}

/** Machine steps that the operating system needs for a transaction's type and calldata. */
export function osSteps(resources: LinearResources, calldataLength: number): number {
  const { constant, perCalldata, calldataScale } = resources;
  return constant.steps + Math.ceil((perCalldata.steps * calldataLength) / calldataScale);
}

function osResources(
  block: BlockContext,
  shape: TransactionShape,
  words: number,
): MutableResources {
  const result = emptyResources();
  const { transactions } = block.constants.osResources;
  addLinearResources(result, transactions[shape.kind], 1, shape.calldataLength);
  if (block.info.l1DaMode === "BLOB") addKzgResources(result, block, words);
  return dropUnused(result);
}

/** What the operating system needs to commit to `words` words of data. */
function addKzgResources(target: MutableResources, block: BlockContext, words: number): void {
  const { kzgCommitment } = block.constants.osResources;
  if (kzgCommitment.steps === 0) return;
  addResources(target, kzgCommitment, words);
  addResources(target, poseidonManyResources(words));
}

/**
 * Gas that the bounds must allow before anything runs: the operating system's steps for the type and
 * the least state changes (the sender's balance and nonce, and its class where it is deployed).
 */
export function minimalGas(context: TransactionContext, shape: TransactionShape): GasVector {
  const { block } = context;
  const changes = {
    storageUpdates: 1,
    classHashUpdates: shape.kind === "deployAccount" ? 1 : 0,
    compiledClassHashUpdates: 0,
    modifiedContracts: 1,
  };
  const os = emptyResources();
  addKzgResources(os, block, daWords(changes));
  const steps =
    osSteps(block.constants.osResources.transactions[shape.kind], shape.calldataLength) + os.steps;
  const vm = vmGas(block.constants, { steps, memoryHoles: 0, builtins: {} }, 0, context.gasMode);
  const da = daGas(changes, block.info.l1DaMode);
  return {
    l1Gas: vm.l1Gas + da.l1Gas,
    l1DataGas: da.l1DataGas,
    l2Gas: vm.l2Gas,
  };
}
