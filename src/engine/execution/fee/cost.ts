import type { GasVector } from "#protocol/versions/index.ts";
import type { CallInfo } from "../call/info.ts";
import { NO_RESOURCES } from "../resources.ts";
import type { TransactionContext } from "../transaction/context.ts";
import { daGas } from "./data-availability.ts";
import { gasFee, NO_GAS } from "./gas-vector.ts";
import type { TransactionShape } from "./shape.ts";
import type { StateChangesCount } from "./state-changes.ts";
import { transactionGas } from "./transaction-gas.ts";
import { type TransactionResources, transactionResources } from "./transaction-resources.ts";

/** Cost of a transaction. */
export interface Cost {
  readonly resources: TransactionResources;
  readonly gas: GasVector;
  readonly daGas: GasVector;
  readonly fee: bigint;
}

/** Cost of a transaction that is free: no resources, gas or fee. */
export const NO_COST: Cost = {
  resources: {
    transaction: NO_RESOURCES,
    os: NO_RESOURCES,
    revertedSteps: 0,
    sierraGas: 0n,
    revertedSierraGas: 0n,
    calldataLength: 0,
    signatureLength: 0,
    codeSize: 0,
    hasProof: false,
    eventCount: 0,
    eventKeys: 0,
    eventData: 0,
    messagePayloadLengths: [],
    messageSegmentLength: 0,
    l1HandlerPayloadSize: null,
    stateChanges: {
      storageUpdates: 0,
      classHashUpdates: 0,
      compiledClassHashUpdates: 0,
      modifiedContracts: 0,
      allocatedKeys: 0,
    },
  },
  gas: NO_GAS,
  daGas: NO_GAS,
  fee: 0n,
};

/**
 * Cost of a transaction, from its calls and state changes; the fee transfer's own cost is part of the OS
 * tables.
 */
export function transactionCost(
  context: TransactionContext,
  shape: TransactionShape,
  calls: Iterable<CallInfo>,
  stateChanges: StateChangesCount,
  reverted: { readonly steps: number; readonly sierraGas: number },
): Cost {
  const resources = transactionResources(context.block, shape, calls, stateChanges, reverted);
  return priceResources(context, resources, shape.isFree);
}

/** Computes gas and fee of the used resources. */
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
