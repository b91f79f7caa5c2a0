import { bool, type Codec, felt, strictObject } from "#base/codec/index.ts";
import { count, feltSet, gas, partialRecord, rational, record, release } from "./shapes.ts";
import {
  BUILTIN_NAMES,
  FEE_BUILTIN_NAMES,
  GAS_BUILTIN_NAMES,
  OS_TRANSACTION_KINDS,
  SYSCALL_NAMES,
} from "./names.ts";
import type {
  ArchivalDataGasCosts,
  GasVector,
  LinearResources,
  OsConstants,
  OsResources,
  ProtocolConstantsData,
  ProtocolFlags,
  VmResources,
} from "./types.ts";

const vmResources: Codec<VmResources> = strictObject({
  steps: count,
  memoryHoles: count,
  builtins: partialRecord(BUILTIN_NAMES, count),
});

const linearResources: Codec<LinearResources> = strictObject({
  constant: vmResources,
  perCalldata: vmResources,
  calldataScale: count,
});

const gasAmounts: Codec<GasVector> = strictObject({ l1Gas: gas, l1DataGas: gas, l2Gas: gas });

const archivalCosts: Codec<ArchivalDataGasCosts> = strictObject({
  gasPerDataFelt: rational,
  eventKeyFactor: rational,
  gasPerCodeByte: rational,
  gasPerProof: rational,
});

const flags: Codec<ProtocolFlags> = strictObject({
  disableCairo0Redeclaration: bool,
  enableStatefulCompression: bool,
  comprehensiveStateDiff: bool,
  blockDirectExecuteCall: bool,
  ignoreInnerEventResources: bool,
  disableDeployInValidationMode: bool,
  enableReverts: bool,
  enableCasmHashMigration: bool,
  blockCasmHashV1Declares: bool,
  stripVmFramesInSierraGas: bool,
  enableTip: bool,
  segmentArenaCells: bool,
});

const os: Codec<OsConstants> = strictObject({
  allowedVirtualOsProgramHashes: feltSet,
  allowedProofVersions: feltSet,
  validateRounding: strictObject({ blockNumber: count, timestampSeconds: count }),
  executeMaxSierraGas: gas,
  validateMaxSierraGas: gas,
  stepGasCost: gas,
  memoryHoleGasCost: gas,
  builtinGasCosts: record(GAS_BUILTIN_NAMES, gas),
  blakeGasCost: gas,
  syscallBaseGasCost: gas,
  entryPointInitialBudget: gas,
  defaultInitialGasCost: gas,
  l1HandlerMaxAmountBounds: gasAmounts,
  contractAddresses: strictObject({ blockHash: felt, alias: felt, reserved: felt }),
  storedBlockHashBuffer: count,
  v1BoundAccountsCairo0: feltSet,
  v1BoundAccountsCairo1: feltSet,
  v1BoundAccountsMaxTip: felt,
  dataGasAccounts: feltSet,
});

const osResources: Codec<OsResources> = strictObject({
  syscalls: record(SYSCALL_NAMES, linearResources),
  transactions: record(OS_TRANSACTION_KINDS, linearResources),
  kzgCommitment: vmResources,
});

/** Form of the embedded data: this project's own names, one-to-one with the type. */
export const protocolConstantsData: Codec<ProtocolConstantsData> = strictObject(
  {
    txEventLimits: strictObject({
      maxDataLength: count,
      maxKeysLength: count,
      maxEmittedEvents: count,
    }),
    gateway: strictObject({
      maxCalldataLength: count,
      maxContractBytecodeSize: count,
      maxProofSize: count,
    }),
    invokeTxMaxSteps: count,
    validateMaxSteps: count,
    maxRecursionDepth: count,
    archivalDataGasCosts: strictObject({ l1GasMode: archivalCosts, l2GasMode: archivalCosts }),
    allocationCost: strictObject({ blob: gasAmounts, calldata: gasAmounts }),
    vmResourceFeeCost: strictObject({
      steps: rational,
      builtins: record(FEE_BUILTIN_NAMES, rational),
    }),
    flags,
    minSierraVersionForSierraGas: release,
    os,
    osResources,
  },
  { statedSyscallGasCosts: record(SYSCALL_NAMES, gas) },
);
