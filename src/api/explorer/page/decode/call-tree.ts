import { feltsOf, feltText } from "../abi/felt.ts";
import { type Entry, listIn, objectIn, textIn } from "../abi/read-entry.ts";
import { type PanicValue, panicValues } from "./panic.ts";

/** Message to L1. */
export interface SentMessage {
  readonly order: number;
  readonly to: string;
  readonly payload: readonly string[];
}

/** Event of a call. */
export interface CallEvent {
  readonly order: number;
  readonly keys: readonly string[];
  readonly data: readonly string[];
}

/** Call of a trace with the calls that it made. */
export interface CallNode {
  /** Position in the tree, such as `0.2.1`. */
  readonly path: string;
  readonly contract: string;
  /** Class that ran, also in library calls; `0x0` if unknown. */
  readonly classHash: string;
  readonly selector: string;
  /** `EXTERNAL`, `L1_HANDLER`, `CONSTRUCTOR`. */
  readonly entryPointType: string;
  /** `CALL`, `LIBRARY_CALL`, `DELEGATE`. */
  readonly callType: string;
  readonly caller: string;
  readonly calldata: readonly string[];
  readonly result: readonly string[];
  readonly isReverted: boolean;
  /**
   * What a trace has of the call: everything (`traced`), nothing because the transaction reverted and only its reason
   * names the call (`failed`), or only the transaction does: it was `undone`, or `not run`, or one of these or failed (`uncertain`).
   */
  readonly state: "traced" | "failed" | "undone" | "not run" | "uncertain";
  /** Values of the panic, for a call whose panic is no inner call's; `null` for others. */
  readonly panic: readonly PanicValue[] | null;
  /** What the reason says about this call; empty in a traced call. */
  readonly reason: string;
  readonly events: readonly CallEvent[];
  readonly messages: readonly SentMessage[];
  /** L2 gas with that of the inner calls; L1 gas for calls that were metered in L1 gas. */
  readonly gas: number;
  readonly l1Gas: number;
  readonly l2Gas: number;
  /** Gas without that of the inner calls. */
  readonly ownGas: number;
  readonly depth: number;
  readonly calls: readonly CallNode[];
  /** Whether calls inside are missing because the tree is too large or deep. */
  readonly isCut: boolean;
}

/** Phase of a transaction with its call. */
export interface TracePhase {
  readonly name: PhaseName;
  readonly root: CallNode;
}

/** Name of a phase as shown. */
export type PhaseName = "Validation" | "Constructor" | "Execution" | "L1 handler" | "Fee transfer";

/** Trace for display: its phases, and why the execution has none. */
export interface CallTree {
  readonly phases: readonly TracePhase[];
  /** `null` if the execution was not reverted. */
  readonly revertReason: string | null;
}

const PHASES: readonly (readonly [field: string, name: PhaseName])[] = [
  ["validate_invocation", "Validation"],
  ["constructor_invocation", "Constructor"],
  ["execute_invocation", "Execution"],
  ["function_invocation", "L1 handler"],
  ["fee_transfer_invocation", "Fee transfer"],
];

/** Deepest and largest tree. */
const MAX_DEPTH = 200;
const MAX_NODES = 20_000;

/** Reads a trace of `starknet_traceTransaction` or `starknet_simulateTransactions`. */
export function callTreeOf(trace: unknown): CallTree {
  const reader = new TreeReader();
  const fields = objectIn(trace);
  const phases = PHASES.flatMap(([field, name], i): TracePhase[] => {
    const call = objectIn(fields[field]);
    if (call["contract_address"] === undefined) return [];
    return [{ name, root: reader.node(call, String(i), 0) }];
  });
  const reason = PHASES.map(([field]) => textIn(objectIn(fields[field]), "revert_reason"));
  return { phases, revertReason: reason.find((text) => text !== "") ?? null };
}

/** Reads one call of a trace, with its inner calls. */
export function callNodeOf(call: unknown, path: string, depth: number): CallNode {
  return new TreeReader().node(objectIn(call), path, depth);
}

/** Returns the call that does a transaction's work; `undefined` if the trace has none, as of a reverted invoke. */
export function mainCallOf({ phases }: CallTree): CallNode | undefined {
  return phases.find(({ name }) => name === "Execution" || name === "L1 handler")?.root;
}

/** Returns all nodes of a tree, each before its inner calls. */
export function nodesOf(root: CallNode): readonly CallNode[] {
  const nodes: CallNode[] = [];
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    nodes.push(node);
    stack.push(...node.calls.toReversed());
  }
  return nodes;
}

class TreeReader {
  #left = MAX_NODES;

  node(call: Entry, path: string, depth: number): CallNode {
    this.#left--;
    const inner = listIn(call["calls"]);
    const calls: CallNode[] = [];
    for (const [i, one] of inner.entries()) {
      if (depth >= MAX_DEPTH || this.#left <= 0) break;
      calls.push(this.node(objectIn(one), `${path}.${i}`, depth + 1));
    }
    const result = feltsOf(call["result"]);
    const isReverted = call["is_reverted"] === true;
    return {
      path,
      contract: feltText(call["contract_address"]),
      classHash: feltText(call["class_hash"]),
      selector: feltText(call["entry_point_selector"]),
      entryPointType: textIn(call, "entry_point_type"),
      callType: textIn(call, "call_type"),
      caller: feltText(call["caller_address"]),
      calldata: feltsOf(call["calldata"]),
      result,
      isReverted,
      state: "traced",
      panic:
        isReverted && !calls.some((one) => isPassedOn(one, result)) ? panicValues(result) : null,
      reason: "",
      events: listIn(call["events"]).map((event) => eventOf(objectIn(event))),
      messages: listIn(call["messages"]).map((message) => messageOf(objectIn(message))),
      ...gasOf(objectIn(call["execution_resources"]), calls),
      depth,
      calls,
      isCut: calls.length < inner.length,
    };
  }
}

/** Whether a call's panic data is that of an inner call, to which the system adds `ENTRYPOINT_FAILED`. */
function isPassedOn({ isReverted, result }: CallNode, outer: readonly string[]): boolean {
  return isReverted && result.length < outer.length && result.every((felt, i) => felt === outer[i]);
}

function eventOf(event: Entry): CallEvent {
  const { order, keys, data } = event;
  return { order: countOf(order), keys: feltsOf(keys), data: feltsOf(data) };
}

function messageOf(message: Entry): SentMessage {
  const { order, to_address, payload } = message;
  return { order: countOf(order), to: feltText(to_address), payload: feltsOf(payload) };
}

function gasOf(
  resources: Entry,
  calls: readonly CallNode[],
): Pick<CallNode, "gas" | "l1Gas" | "l2Gas" | "ownGas"> {
  const l1Gas = countOf(resources["l1_gas"]);
  const l2Gas = countOf(resources["l2_gas"]);
  const gas = l2Gas === 0 ? l1Gas : l2Gas;
  const inner = calls.reduce((sum, call) => sum + (l2Gas === 0 ? call.l1Gas : call.l2Gas), 0);
  return { gas, l1Gas, l2Gas, ownGas: Math.max(0, gas - inner) };
}

function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
