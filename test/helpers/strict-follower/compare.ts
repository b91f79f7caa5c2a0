import { resultOf } from "../binary.ts";
import type { FollowedBlock } from "./follower.ts";
import type { GatewayCall, GatewayReceipt, GatewayTrace } from "./forms.ts";

/** A node's JSON-RPC: a URL with the path of version 0.9. */
interface Node {
  readonly url: string;
}

interface RpcReceipt {
  readonly transaction_hash: string;
  readonly actual_fee: { readonly amount: string };
  readonly execution_status: string;
  readonly revert_reason?: string;
  readonly events: unknown;
  readonly messages_sent: readonly unknown[];
}

interface RpcBlock {
  readonly block_hash: string;
  readonly block_number: number;
  readonly new_root: string;
  readonly timestamp: number;
  readonly starknet_version: string;
  readonly transactions: readonly { readonly receipt: RpcReceipt }[];
}

interface RpcCall extends Omit<GatewayCall, "internal_calls" | "selector"> {
  readonly entry_point_selector: string;
  readonly calls: readonly RpcCall[];
}

type RpcTrace = Readonly<
  Partial<
    Record<
      | "validate_invocation"
      | "execute_invocation"
      | "constructor_invocation"
      | "function_invocation"
      | "fee_transfer_invocation",
      RpcCall | { readonly revert_reason: string }
    >
  >
>;

/** Comparable parts of a block, in a common format of all sources. */
export interface Comparable {
  readonly block: unknown;
  readonly receipts: unknown;
  readonly traces: unknown;
}

/**
 * A block from a node's JSON-RPC.
 *
 * @param withTraces - whether the node can trace the block; otherwise traces are omitted
 */
export async function ofRpc(
  node: Node,
  blockNumber: number,
  withTraces: boolean,
): Promise<Comparable> {
  const id = { block_number: blockNumber };
  const block = await rpcBlock(node, id);
  const traces = withTraces ? await rpcTraces(node, id) : [];
  return {
    block: [block.block_hash, block.new_root, block.timestamp, block.starknet_version],
    receipts: block.transactions.map(({ receipt }) => ofRpcReceipt(receipt)),
    traces: traces.map(({ transaction_hash, trace_root }) => [
      transaction_hash,
      ...ofRpcTrace(trace_root),
    ]),
  };
}

function rpcTraces(
  node: Node,
  id: { readonly block_number: number },
): Promise<readonly { readonly transaction_hash: string; readonly trace_root: RpcTrace }[]> {
  return resultOf(node, "starknet_traceBlockTransactions", [id]);
}

/** A block with its receipts from a node's JSON-RPC. */
export function rpcBlock(
  node: Node,
  block: { readonly block_number: number } | "pre_confirmed",
): Promise<RpcBlock> {
  return resultOf(node, "starknet_getBlockWithReceipts", [block]);
}

/** A followed block in the format of {@link ofRpc}. */
export function ofGateway({ block, newRoot, traces }: FollowedBlock): Comparable {
  return {
    block: [block.block_hash, newRoot, Number(block.timestamp), block.starknet_version],
    receipts: block.transaction_receipts.map(ofGatewayReceipt),
    traces: traces.map((trace) => [trace.transaction_hash, ...ofGatewayTrace(trace)]),
  };
}

/** A gateway receipt in the format of {@link ofRpcReceipt}. */
export function ofGatewayReceipt(receipt: GatewayReceipt): unknown {
  return [
    receipt.transaction_hash,
    receipt.actual_fee,
    receipt.execution_status,
    receipt.revert_error ?? null,
    receipt.events,
    // The network's gateway writes L1 addresses with a checksum.
    receipt.l2_to_l1_messages.map((message) => ({
      ...message,
      to_address: message.to_address.toLowerCase(),
    })),
  ];
}

/** A JSON-RPC receipt in a comparable format. */
export function ofRpcReceipt(receipt: RpcReceipt): unknown {
  return [
    receipt.transaction_hash,
    receipt.actual_fee.amount,
    receipt.execution_status,
    receipt.revert_reason ?? null,
    receipt.events,
    receipt.messages_sent,
  ];
}

function ofGatewayTrace(trace: GatewayTrace): unknown[] {
  const { validate_invocation: validate, function_invocation: run } = trace;
  const { fee_transfer_invocation: fee, revert_error: reason } = trace;
  const executed = reason === undefined ? gatewayCall(run) : { reverted: reason };
  return [gatewayCall(validate), executed, gatewayCall(fee)];
}

function ofRpcTrace(trace: RpcTrace): unknown[] {
  const run = trace.execute_invocation ?? trace.constructor_invocation ?? trace.function_invocation;
  return [trace.validate_invocation, run, trace.fee_transfer_invocation].map(rpcCall);
}

function gatewayCall(call: GatewayCall | undefined): unknown {
  if (call === undefined) return null;
  const { selector, internal_calls: calls } = call;
  return { ...common(call), selector, calls: calls.map(gatewayCall) };
}

function rpcCall(call: RpcCall | { readonly revert_reason: string } | undefined): unknown {
  if (call === undefined) return null;
  if ("revert_reason" in call) return { reverted: call.revert_reason };
  const { entry_point_selector: selector, calls } = call;
  return { ...common(call), selector, calls: calls.map(rpcCall) };
}

function common(call: Omit<GatewayCall, "internal_calls" | "selector">): object {
  const { contract_address, caller_address, class_hash, calldata, result } = call;
  const events = call.events.map(({ keys, data }) => ({ keys, data }));
  const messages = call.messages.map(({ to_address, payload }) => ({ to_address, payload }));
  return { contract_address, caller_address, class_hash, calldata, result, events, messages };
}
