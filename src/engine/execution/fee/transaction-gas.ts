import type {
  FeeBuiltinName,
  GasVector,
  ProtocolConstants,
  VmResources,
} from "#protocol/versions/index.ts";
import type { L1DaMode } from "#protocol/chain/index.ts";
import { sumResources, totalSteps } from "../resources.ts";
import { daGas } from "./data-availability.ts";
import { ceilTimes, floorTimes, type GasMode, l1GasFromL2, l2GasFromL1 } from "./gas-vector.ts";
import { messageGas } from "./messages.ts";
import type { TransactionResources } from "./transaction-resources.ts";

/**
 * Gas of a transaction, including data availability, by the rules of `transaction_gas` in blockifier's
 * `fee/gas_usage.rs`.
 */
export function transactionGas(
  constants: ProtocolConstants,
  resources: TransactionResources,
  daMode: L1DaMode,
  mode: GasMode,
): GasVector {
  const costs = archivalCosts(constants, mode);
  const dataFelts = BigInt(resources.calldataLength + resources.signatureLength);
  const archival =
    floorTimes(costs.gasPerDataFelt, dataFelts) +
    floorTimes(costs.gasPerCodeByte, BigInt(resources.codeSize)) +
    (resources.hasProof ? floorTimes(costs.gasPerProof, 1n) : 0n);
  const events = eventGas(constants, resources.eventKeys, resources.eventData, mode);
  const sierra = sierraGasIn(constants, resources.sierraGas + resources.revertedSierraGas, mode);
  const vm = sumResources(resources.transaction, resources.os);
  const computation = vmGas(constants, vm, resources.revertedSteps, mode);
  const allocation =
    daMode === "BLOB" ? constants.allocationCost.blob : constants.allocationCost.calldata;
  const allocated = BigInt(resources.stateChanges.allocatedKeys);
  const da = daGas(resources.stateChanges, daMode);
  const data = gasIn(mode, archival);
  return {
    l1Gas:
      data.l1Gas +
      events.l1Gas +
      sierra.l1Gas +
      computation.l1Gas +
      da.l1Gas +
      allocation.l1Gas * allocated +
      messageGas(resources),
    l1DataGas: da.l1DataGas + allocation.l1DataGas * allocated,
    l2Gas:
      data.l2Gas + events.l2Gas + sierra.l2Gas + computation.l2Gas + allocation.l2Gas * allocated,
  };
}

/** Gas for storing events. */
export function eventGas(
  constants: ProtocolConstants,
  eventKeys: number,
  eventData: number,
  mode: GasMode,
): GasVector {
  const { eventKeyFactor, gasPerDataFelt } = archivalCosts(constants, mode);
  const [factor, scale] = eventKeyFactor;
  const felts = factor * BigInt(eventKeys) + scale * BigInt(eventData);
  return gasIn(mode, floorTimes([gasPerDataFelt[0] * felts, gasPerDataFelt[1] * scale], 1n));
}

/** Converts Sierra gas to the gas mode. */
export function sierraGasIn(
  constants: ProtocolConstants,
  sierraGas: bigint,
  mode: GasMode,
): GasVector {
  return gasIn(mode, mode === "l2" ? sierraGas : l1GasFromL2(constants, sierraGas));
}

function archivalCosts(
  { archivalDataGasCosts }: ProtocolConstants,
  mode: GasMode,
): ProtocolConstants["archivalDataGasCosts"]["l2GasMode"] {
  return mode === "l2" ? archivalDataGasCosts.l2GasMode : archivalDataGasCosts.l1GasMode;
}

function gasIn(mode: GasMode, amount: bigint): GasVector {
  return mode === "l2"
    ? { l1Gas: 0n, l1DataGas: 0n, l2Gas: amount }
    : { l1Gas: amount, l1DataGas: 0n, l2Gas: 0n };
}

/**
 * L1 gas of machine resources: the maximum over all of them, because a proof is as long as its longest
 * column.
 */
export function vmL1Gas(
  constants: ProtocolConstants,
  resources: VmResources,
  revertedSteps: number,
): bigint {
  const { steps, builtins } = constants.vmResourceFeeCost;
  const stepCount = totalSteps(resources) + resources.memoryHoles + revertedSteps;
  let maximum = ceilTimes(steps, BigInt(stepCount));
  for (const name in resources.builtins) {
    if (name === "segment_arena") continue;
    const builtin = name as FeeBuiltinName;
    const gas = ceilTimes(builtins[builtin], BigInt(resources.builtins[builtin] ?? 0));
    if (gas > maximum) maximum = gas;
  }
  const { blake = 0 } = resources;
  if (blake > 0) {
    const gas = l1GasFromL2(constants, constants.os.blakeGasCost) * BigInt(blake);
    if (gas > maximum) maximum = gas;
  }
  return maximum;
}

/** Converts machine resources to gas of the mode. */
export function vmGas(
  constants: ProtocolConstants,
  resources: VmResources,
  revertedSteps: number,
  mode: GasMode,
): GasVector {
  const l1Gas = vmL1Gas(constants, resources, revertedSteps);
  return gasIn(mode, mode === "l1" ? l1Gas : l2GasFromL1(constants, l1Gas));
}
