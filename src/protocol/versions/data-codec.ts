import { bool, type Codec, felt, object } from "#base/codec/index.ts";
import { count, feltSet, gas, partialRecord, rational, record, release } from "./shapes.ts";
import {
  type ArchivalDataGasCosts,
  BUILTIN_NAMES,
  FEE_BUILTIN_NAMES,
  GAS_BUILTIN_NAMES,
  type GasVector,
  type LinearResources,
  OS_TRANSACTION_KINDS,
  type OsConstants,
  type OsResources,
  type ProtocolConstantsData,
  type ProtocolFlags,
  SYSCALL_NAMES,
  type VmResources,
} from "./types.ts";

const vmResources: Codec<VmResources> = object(
  { steps: count, memoryHoles: count, builtins: partialRecord(BUILTIN_NAMES, count) },
  {},
  "reject",
);

const linearResources: Codec<LinearResources> = object(
  { constant: vmResources, perCalldata: vmResources, calldataScale: count },
  {},
  "reject",
);

const gasAmounts: Codec<GasVector> = object(
  { l1Gas: gas, l1DataGas: gas, l2Gas: gas },
  {},
  "reject",
);

const archivalCosts: Codec<ArchivalDataGasCosts> = object(
  {
    gasPerDataFelt: rational,
    eventKeyFactor: rational,
    gasPerCodeByte: rational,
    gasPerProof: rational,
  },
  {},
  "reject",
);

const flags: Codec<ProtocolFlags> = object(
  {
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
  },
  {},
  "reject",
);

const os: Codec<OsConstants> = object(
  {
    allowedVirtualOsProgramHashes: feltSet,
    allowedProofVersions: feltSet,
    validateRounding: object({ blockNumber: count, timestampSeconds: count }, {}, "reject"),
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
    contractAddresses: object({ blockHash: felt, alias: felt, reserved: felt }, {}, "reject"),
    storedBlockHashBuffer: count,
    v1BoundAccountsCairo0: feltSet,
    v1BoundAccountsCairo1: feltSet,
    v1BoundAccountsMaxTip: felt,
    dataGasAccounts: feltSet,
  },
  {},
  "reject",
);

const osResources: Codec<OsResources> = object(
  {
    syscalls: record(SYSCALL_NAMES, linearResources),
    transactions: record(OS_TRANSACTION_KINDS, linearResources),
    kzgCommitment: vmResources,
  },
  {},
  "reject",
);

/** The form of the embedded data: this project's own names, one-to-one with the type. */
export const protocolConstantsData: Codec<ProtocolConstantsData> = object(
  {
    txEventLimits: object(
      { maxDataLength: count, maxKeysLength: count, maxEmittedEvents: count },
      {},
      "reject",
    ),
    gateway: object(
      { maxCalldataLength: count, maxContractBytecodeSize: count, maxProofSize: count },
      {},
      "reject",
    ),
    invokeTxMaxSteps: count,
    validateMaxSteps: count,
    maxRecursionDepth: count,
    archivalDataGasCosts: object({ l1GasMode: archivalCosts, l2GasMode: archivalCosts }),
    allocationCost: object({ blob: gasAmounts, calldata: gasAmounts }, {}, "reject"),
    vmResourceFeeCost: object(
      { steps: rational, builtins: record(FEE_BUILTIN_NAMES, rational) },
      {},
      "reject",
    ),
    flags,
    minSierraVersionForSierraGas: release,
    os,
    osResources,
  },
  { statedSyscallGasCosts: record(SYSCALL_NAMES, gas) },
  "reject",
);
