import { addDeclareTransaction } from "./methods/addDeclareTransaction.ts";
import { addDeployAccountTransaction } from "./methods/addDeployAccountTransaction.ts";
import { getContractAddresses } from "./methods/appchain_getContractAddresses.ts";
import { addInvokeTransaction } from "./methods/addInvokeTransaction.ts";
import { blockHashAndNumber } from "./methods/blockHashAndNumber.ts";
import { blockNumber } from "./methods/blockNumber.ts";
import { call } from "./methods/call.ts";
import { chainId } from "./methods/chainId.ts";
import { estimateFee } from "./methods/estimateFee.ts";
import { estimateMessageFee } from "./methods/estimateMessageFee.ts";
import { getBlockTransactionCount } from "./methods/getBlockTransactionCount.ts";
import { getBlockWithReceipts } from "./methods/getBlockWithReceipts.ts";
import { getBlockWithTxHashes } from "./methods/getBlockWithTxHashes.ts";
import { getBlockWithTxs } from "./methods/getBlockWithTxs.ts";
import { getClass } from "./methods/getClass.ts";
import { getClassAt } from "./methods/getClassAt.ts";
import { getClassHashAt } from "./methods/getClassHashAt.ts";
import { getCompiledCasm } from "./methods/getCompiledCasm.ts";
import { getEvents } from "./methods/getEvents.ts";
import { getMessagesStatus } from "./methods/getMessagesStatus.ts";
import { getNonce } from "./methods/getNonce.ts";
import { getStateUpdate } from "./methods/getStateUpdate.ts";
import { getStorageAt } from "./methods/getStorageAt.ts";
import { getStorageProof } from "./methods/getStorageProof.ts";
import { getTransactionByBlockIdAndIndex } from "./methods/getTransactionByBlockIdAndIndex.ts";
import { getTransactionByHash } from "./methods/getTransactionByHash.ts";
import { getTransactionReceipt } from "./methods/getTransactionReceipt.ts";
import { getTransactionStatus } from "./methods/getTransactionStatus.ts";
import { nodeGetInfo } from "./methods/node_getInfo.ts";
import { pathfinderGetProof } from "./methods/pathfinder_getProof.ts";
import { txpoolStatus } from "./methods/txpool_status.ts";
import { simulateTransactions } from "./methods/simulateTransactions.ts";
import { specVersion } from "./methods/specVersion.ts";
import { syncing } from "./methods/syncing.ts";
import { traceBlockTransactions } from "./methods/traceBlockTransactions.ts";
import { traceTransaction } from "./methods/traceTransaction.ts";
import type { ServerContext } from "./context.ts";
import type { Method } from "./method.ts";
import { SPEC_0_10_2 } from "./spec/v0_10/index.ts";
import { SPEC_0_7_1 } from "./spec/v0_7/index.ts";
import { SPEC_0_8_1 } from "./spec/v0_8/index.ts";
import { SPEC_0_9_0 } from "./spec/v0_9/index.ts";
import type { SpecVersion } from "./spec/version.ts";
import { createMethodTable, type MethodTable, type SubscriptionMethod } from "./table.ts";
import { SUBSCRIPTION_METHODS, SUBSCRIPTION_METHODS_0_8 } from "./ws/methods.ts";

/** Every method of the specification. */
export const METHODS = [
  specVersion,
  getBlockWithTxHashes,
  getBlockWithReceipts,
  getBlockWithTxs,
  getStateUpdate,
  getStorageAt,
  getStorageProof,
  getTransactionStatus,
  getMessagesStatus,
  getTransactionByHash,
  getTransactionByBlockIdAndIndex,
  getTransactionReceipt,
  getClass,
  getClassHashAt,
  getClassAt,
  getCompiledCasm,
  getBlockTransactionCount,
  call,
  estimateFee,
  estimateMessageFee,
  blockNumber,
  blockHashAndNumber,
  chainId,
  syncing,
  getEvents,
  getNonce,
  traceTransaction,
  simulateTransactions,
  traceBlockTransactions,
  addInvokeTransaction,
  addDeclareTransaction,
  addDeployAccountTransaction,
] as const satisfies readonly Method<ServerContext>[];

/**
 * Methods of other nodes and our own, by full name; served in every version, and part of no specification.
 */
export const EXTENSION_METHODS: readonly Method<ServerContext>[] = [
  pathfinderGetProof,
  getContractAddresses,
  nodeGetInfo,
  txpoolStatus,
];

const SINCE_0_8: readonly Method<ServerContext>[] = [
  getMessagesStatus,
  getCompiledCasm,
  getStorageProof,
];
const METHODS_OF_0_7 = METHODS.filter((method) => !SINCE_0_8.includes(method));

/** Creates the method tables of the served versions of the specification, newest first. */
export function createMethodTables(): readonly [
  MethodTable<ServerContext>,
  ...MethodTable<ServerContext>[],
] {
  return [
    tableOf(SPEC_0_10_2, METHODS, SUBSCRIPTION_METHODS),
    tableOf(SPEC_0_9_0, METHODS, SUBSCRIPTION_METHODS),
    tableOf(SPEC_0_8_1, METHODS, SUBSCRIPTION_METHODS_0_8),
    tableOf(SPEC_0_7_1, METHODS_OF_0_7, []),
  ];
}

function tableOf(
  spec: SpecVersion,
  methods: readonly Method<ServerContext>[],
  subscriptions: readonly SubscriptionMethod[],
): MethodTable<ServerContext> {
  return createMethodTable(spec, { methods, subscriptions, extensions: EXTENSION_METHODS });
}
