import type {
  FeeBuiltinName,
  GasVector,
  ProtocolConstants,
  Rational,
  VmResources,
} from "#protocol/versions/index.ts";
import type { L1DaMode } from "#protocol/chain/index.ts";
import type { PriceVector, StateChangesCount, TransactionResources } from "../types.ts";
import { sumResources, totalSteps } from "../resources.ts";
import { messageGas } from "./messages.ts";

/**
 * In which gas computation is counted: `l2` for transactions with all three bounds, `l1` for older
 * ones, whose L2 gas is converted.
 */
export type GasMode = "l1" | "l2";

/** L1 data gas of one word in a blob: 2^17 gas for 2^12 words. */
const DATA_GAS_PER_WORD = 32;
/** L1 gas of one word as calldata, with the prover's part and ten percent off. */
const L1_GAS_PER_DA_WORD = 551;
/** What a contract's second word is cheaper by, having at most 6 non-zero bytes: 512 - (6*16 + 26*4). */
const CONTRACT_WORD_DISCOUNT = 312;
/** What the fee balance is cheaper by, having at most 12 non-zero bytes: 512 - (12*16 + 20*4). */
const FEE_BALANCE_DISCOUNT = 240;

/** No gas. */
export const NO_GAS: GasVector = { l1Gas: 0n, l1DataGas: 0n, l2Gas: 0n };

/** The sum of two gas vectors. */
export function addGas(a: GasVector, b: GasVector): GasVector {
  return {
    l1Gas: a.l1Gas + b.l1Gas,
    l1DataGas: a.l1DataGas + b.l1DataGas,
    l2Gas: a.l2Gas + b.l2Gas,
  };
}

/** `amount` times a rational, rounded down. */
export function floorTimes(rate: Rational, amount: bigint): bigint {
  return (rate[0] * amount) / rate[1];
}

/** `amount` times a rational, rounded up. */
export function ceilTimes(rate: Rational, amount: bigint): bigint {
  return (rate[0] * amount + rate[1] - 1n) / rate[1];
}

/** L1 gas for `l2Gas`, rounded up, at the rate of one Cairo step. */
export function l1GasFromL2(constants: ProtocolConstants, l2Gas: bigint): bigint {
  const [numerator, denominator] = constants.vmResourceFeeCost.steps;
  return ceilTimes([numerator, denominator * constants.os.stepGasCost], l2Gas);
}

/** L2 gas for `l1Gas`, rounded up, at the rate of one Cairo step. */
export function l2GasFromL1(constants: ProtocolConstants, l1Gas: bigint): bigint {
  const [numerator, denominator] = constants.vmResourceFeeCost.steps;
  return ceilTimes([denominator * constants.os.stepGasCost, numerator], l1Gas);
}

/** Words that state changes add to the data availability segment. */
export function daWords(changes: Omit<StateChangesCount, "allocatedKeys">): number {
  return (
    changes.modifiedContracts * 2 +
    changes.classHashUpdates +
    changes.storageUpdates * 2 +
    changes.compiledClassHashUpdates * 2
  );
}

/** Gas for publishing state changes on L1. */
export function daGas(
  changes: Omit<StateChangesCount, "allocatedKeys">,
  mode: L1DaMode,
): GasVector {
  const words = daWords(changes);
  if (mode === "BLOB") {
    return { l1Gas: 0n, l1DataGas: BigInt(words * DATA_GAS_PER_WORD), l2Gas: 0n };
  }
  const discount = changes.modifiedContracts * CONTRACT_WORD_DISCOUNT + FEE_BALANCE_DISCOUNT;
  const gas = Math.max(words * L1_GAS_PER_DA_WORD - discount, 0);
  return { l1Gas: BigInt(gas), l1DataGas: 0n, l2Gas: 0n };
}

/** L1 gas of machine resources: the dearest of them, as a proof is as long as its longest column. */
export function vmL1Gas(
  constants: ProtocolConstants,
  resources: VmResources,
  revertedSteps: number,
): bigint {
  const { steps, builtins } = constants.vmResourceFeeCost;
  const stepCount = totalSteps(resources) + resources.memoryHoles + revertedSteps;
  let most = ceilTimes(steps, BigInt(stepCount));
  for (const name in resources.builtins) {
    if (name === "segment_arena") continue;
    const builtin = name as FeeBuiltinName;
    const gas = ceilTimes(builtins[builtin], BigInt(resources.builtins[builtin] ?? 0));
    if (gas > most) most = gas;
  }
  const { blake = 0 } = resources;
  if (blake > 0) {
    const gas = l1GasFromL2(constants, constants.os.blakeGasCost) * BigInt(blake);
    if (gas > most) most = gas;
  }
  return most;
}

/** Machine resources as gas of the mode. */
export function vmGas(
  constants: ProtocolConstants,
  resources: VmResources,
  revertedSteps: number,
  mode: GasMode,
): GasVector {
  const l1Gas = vmL1Gas(constants, resources, revertedSteps);
  return mode === "l1"
    ? { l1Gas, l1DataGas: 0n, l2Gas: 0n }
    : { l1Gas: 0n, l1DataGas: 0n, l2Gas: l2GasFromL1(constants, l1Gas) };
}

/** Gas of a transaction with the data availability part, by the rules of reference section 2.6. */
export function transactionGas(
  constants: ProtocolConstants,
  resources: TransactionResources,
  daMode: L1DaMode,
  mode: GasMode,
): GasVector {
  const costs =
    mode === "l2"
      ? constants.archivalDataGasCosts.l2GasMode
      : constants.archivalDataGasCosts.l1GasMode;
  const dataFelts = BigInt(resources.calldataLength + resources.signatureLength);
  const [factor, factorScale] = costs.eventKeyFactor;
  const eventRate: Rational = [
    costs.gasPerDataFelt[0] *
      (factor * BigInt(resources.eventKeys) + factorScale * BigInt(resources.eventData)),
    costs.gasPerDataFelt[1] * factorScale,
  ];
  const archival =
    floorTimes(costs.gasPerDataFelt, dataFelts) +
    floorTimes(costs.gasPerCodeByte, BigInt(resources.codeSize)) +
    (resources.hasProof ? floorTimes(costs.gasPerProof, 1n) : 0n) +
    floorTimes(eventRate, 1n);
  const sierra = resources.sierraGas + resources.revertedSierraGas;
  const vm = sumResources(resources.transaction, resources.os);
  const computation = vmGas(constants, vm, resources.revertedSteps, mode);
  const allocation =
    daMode === "BLOB" ? constants.allocationCost.blob : constants.allocationCost.calldata;
  const allocated = BigInt(resources.stateChanges.allocatedKeys);
  const da = daGas(resources.stateChanges, daMode);
  const inMode =
    mode === "l2"
      ? { l1Gas: 0n, l2Gas: archival + sierra }
      : { l1Gas: archival + l1GasFromL2(constants, sierra), l2Gas: 0n };
  return {
    l1Gas:
      inMode.l1Gas +
      computation.l1Gas +
      da.l1Gas +
      allocation.l1Gas * allocated +
      messageGas(resources),
    l1DataGas: da.l1DataGas + allocation.l1DataGas * allocated,
    l2Gas: inMode.l2Gas + computation.l2Gas + allocation.l2Gas * allocated,
  };
}

/** The price of gas; the tip adds to the L2 gas price. */
export function gasFee(gas: GasVector, prices: PriceVector, tip: bigint): bigint {
  return (
    gas.l1Gas * prices.l1Gas + gas.l1DataGas * prices.l1DataGas + gas.l2Gas * (prices.l2Gas + tip)
  );
}

/** L1 gas that would cost as much as `gas`: the figure that a bound on L1 gas alone limits. */
export function discountedL1Gas(
  constants: ProtocolConstants,
  gas: GasVector,
  prices: PriceVector,
): bigint {
  const data = (gas.l1DataGas * prices.l1DataGas + prices.l1Gas - 1n) / prices.l1Gas;
  return gas.l1Gas + data + l1GasFromL2(constants, gas.l2Gas);
}
