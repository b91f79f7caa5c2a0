import type { VmResources } from "#protocol/versions/index.ts";
import type { BlockContext } from "../block/context.ts";
import type { CallInfo } from "../call/info.ts";
import { dropUnused } from "../resources.ts";
import { type MessageResources, messageSegmentLength } from "./messages.ts";
import { osResources } from "./os-resources.ts";
import type { TransactionShape } from "./shape.ts";
import { daWords, type StateChangesCount } from "./state-changes.ts";
import { summarizeCalls } from "./summary.ts";

/** All resources of a transaction, before pricing. */
export interface TransactionResources extends MessageResources {
  /** Machine resources of validation and execution. */
  readonly transaction: VmResources;
  /** Machine resources of the operating system for this transaction. */
  readonly os: VmResources;
  readonly revertedSteps: number;
  readonly sierraGas: bigint;
  readonly revertedSierraGas: bigint;
  readonly calldataLength: number;
  readonly signatureLength: number;
  readonly codeSize: number;
  /** Whether the transaction contains a client-side proof. */
  readonly hasProof: boolean;
  readonly eventCount: number;
  readonly eventKeys: number;
  readonly eventData: number;
  readonly stateChanges: StateChangesCount;
}

/** Resources of a transaction, computed from its calls and state changes. */
export function transactionResources(
  block: BlockContext,
  shape: TransactionShape,
  calls: Iterable<CallInfo>,
  stateChanges: StateChangesCount,
  reverted: { readonly steps: number; readonly sierraGas: number },
): TransactionResources {
  const summary = summarizeCalls(calls, block.constants);
  return {
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
}
