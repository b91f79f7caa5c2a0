import type { CallInfo, TransactionTrace } from "#engine/execution/index.ts";
import { EMPTY_STATE_DIFF, type HashedTransaction } from "#protocol/chain/index.ts";
import { NO_COST } from "#engine/execution/fee/cost.ts";
import type { ReadSet } from "#engine/state/index.ts";

/** Read set of an execution without reads. */
export const NO_READS: ReadSet = {
  storage: new Map(),
  nonces: new Map(),
  classHashes: new Map(),
  compiledClassHashes: new Map(),
  classes: new Map(),
};

/** Creates the record of a call without effects, with the given members changed. */
export function fakeCall(call: Partial<CallInfo> = {}): CallInfo {
  return {
    entryPointType: "EXTERNAL",
    callType: "CALL",
    contractAddress: 0xc0n,
    classHash: 0xc1n,
    codeAddress: null,
    entryPointSelector: 0x5en,
    callerAddress: 0xcan,
    calldata: [],
    result: [],
    failed: false,
    trackedResource: "cairo_steps",
    initialGas: 0n,
    gasConsumed: 0n,
    vmResources: { steps: 0, memoryHoles: 0, builtins: {} },
    primitiveCounters: {},
    syscalls: new Map(),
    events: [],
    messages: [],
    storageReadValues: [],
    accessedStorageKeys: new Set(),
    readClassHashValues: [],
    accessedContractAddresses: new Set(),
    readBlockHashValues: [],
    accessedBlocks: new Set(),
    innerCalls: [],
    ...call,
  };
}

/** A trace of a transaction that called nothing, with the given members of its execution. */
export function fakeTrace(
  transaction: HashedTransaction,
  info: Partial<TransactionTrace["info"]> = {},
): TransactionTrace {
  const { resources, gas, daGas } = NO_COST;
  return {
    transaction,
    callGas: new Map(),
    classHash: 0xc1n,
    sizeBytes: 0,
    felts: 0,
    reverted: null,
    info: {
      validate: null,
      execute: null,
      feeTransfer: null,
      revertReason: null,
      resources,
      gas,
      daGas,
      actualFee: 0n,
      feeUnit: "FRI",
      weights: {
        l1Gas: 0n,
        messageSegmentLength: 0n,
        eventCount: 0n,
        transactionCount: 1n,
        steps: 0n,
        stateDiffSize: 0n,
        sierraGas: 0n,
        provingGas: 0n,
        receiptL2Gas: 0n,
      },
      stateDiff: EMPTY_STATE_DIFF,
      ...info,
    },
  };
}
