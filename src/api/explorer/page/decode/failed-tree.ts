import { feltText } from "../abi/felt.ts";
import { type CallNode, callNodeOf } from "./call-tree.ts";
import { callsOf, outsideCallsOf } from "./calls.ts";
import { isOf } from "./multicall.ts";
import type { RevertFrame, RevertReason } from "./revert-reason.ts";

/** Most calls of one multicall that are shown around the one that failed. */
const MAX_CALLS = 500;

const UNKNOWN: RevertFrame = {
  contract: "0x0",
  classHash: "0x0",
  selector: "0x0",
  kind: "call",
  text: "",
};

/**
 * Builds the calls of a reverted execution, which no trace has, from the frames of its reason and the calldata: each call
 * of a multicall is `undone`, `failed` or `not run`. The last failed call has the panic and the reason. If several calls
 * have the target of the one that failed, each is `uncertain`, and the failed one follows them without its calldata.
 *
 * @param calldata - of the transaction
 * @param classes - class hashes by address, for calls that the reason does not name
 * @returns `undefined` if the reason names no call
 */
export function failedTreeOf(
  reason: RevertReason,
  calldata: readonly string[],
  classes: ReadonlyMap<string, string>,
): CallNode | undefined {
  const isEmpty = reason.frames.length === 0;
  return isEmpty ? undefined : failedNode({ ...reason, classes }, 0, calldata, "0", true);
}

interface KnownReason extends RevertReason {
  readonly classes: ReadonlyMap<string, string>;
}

function failedNode(
  reason: KnownReason,
  depth: number,
  calldata: readonly string[],
  path: string,
  isAccount: boolean,
): CallNode {
  const { frames, panic, cause, classes } = reason;
  const frame = frames[depth] ?? UNKNOWN;
  const node = nodeOf(frame, "failed", calldata, path, depth);
  const next = frames[depth + 1];
  if (next === undefined) {
    return { ...node, panic: panic.length === 0 ? null : panic, reason: cause };
  }
  const child = (data: readonly string[], index: number, isRoot = false): CallNode =>
    failedNode(reason, depth + 1, data, `${path}.${index}`, isRoot);
  // A proxy delegates the call with its calldata. Reasons of panics do not say which calls are library calls.
  const isSame = next.contract === frame.contract && next.selector === frame.selector;
  if (isSame && (isAccount || next.kind === "library call"))
    return { ...node, calls: [child(calldata, 0, isAccount)] };
  const inner = isAccount ? callsOf(calldata) : outsideCallsOf({ ...frame, calldata });
  const calls = (inner ?? []).slice(0, MAX_CALLS);
  const first = calls.findIndex((call) => isOf(call, next));
  const last = calls.findLastIndex((call) => isOf(call, next));
  if (first === -1) return { ...node, calls: [child([], 0)] };
  const nodes: CallNode[] = [];
  for (const [i, { to, selector, calldata: data }] of calls.entries()) {
    if (i === first && i === last) nodes.push(child(data, i));
    else {
      const state = i < first ? "undone" : i > last ? "not run" : "uncertain";
      const contract = feltText(to);
      const framed = frames.find((one) => one.contract === contract)?.classHash;
      const classHash = framed ?? classes.get(contract) ?? "0x0";
      const target = { ...UNKNOWN, contract, classHash, selector: feltText(selector) };
      nodes.push(nodeOf(target, state, data, `${path}.${nodes.length}`, depth + 1));
      if (i === last) nodes.push(child([], nodes.length));
    }
  }
  return { ...node, calls: nodes };
}

/** Returns a call of which only the target and the calldata are known. */
function nodeOf(
  { contract, classHash, selector, kind, text }: RevertFrame,
  state: CallNode["state"],
  calldata: readonly string[],
  path: string,
  depth: number,
): CallNode {
  const call = {
    contract_address: contract,
    class_hash: classHash,
    entry_point_selector: selector,
    entry_point_type: kind === "constructor" ? "CONSTRUCTOR" : "EXTERNAL",
    call_type: kind === "library call" ? "LIBRARY_CALL" : "CALL",
    calldata,
  };
  const isReverted = state === "failed";
  return { ...callNodeOf(call, path, depth), isReverted, state, reason: text };
}
