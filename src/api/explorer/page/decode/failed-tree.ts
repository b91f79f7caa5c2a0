import { feltText } from "../abi/felt.ts";
import { type CallNode, callNodeOf } from "./call-tree.ts";
import { type Call, callsOf, outsideCallsOf } from "./calls.ts";
import { isOf } from "./multicall.ts";
import type { RevertFrame, RevertReason } from "./revert-reason.ts";

/** Most calls of one multicall that are shown around the one that failed. */
const MAX_CALLS = 500;

/**
 * Builds the calls of a reverted execution, which no trace has, from the frames of its reason and the calldata: each call
 * of a multicall is `undone`, `failed` or `not run`. The last failed call has the panic and the reason.
 *
 * @param calldata - of the transaction
 * @returns `undefined` if the reason names no call
 */
export function failedTreeOf(
  { frames, panic, cause }: RevertReason,
  calldata: readonly string[],
): CallNode | undefined {
  const [first] = frames;
  if (first === undefined) return undefined;
  const build = (index: number, data: readonly string[], path: string): CallNode => {
    const frame = frames[index] ?? first;
    const next = frames[index + 1];
    const node = nodeOf(frame, "failed", data, path, index);
    if (next === undefined)
      return { ...node, panic: panic.length === 0 ? null : panic, reason: cause };
    const inner = index === 0 ? callsOf(data) : outsideCallsOf({ ...frame, calldata: data });
    const calls = (inner ?? []).slice(0, MAX_CALLS);
    const failed = calls.findIndex((call) => isOf(call, next));
    if (failed === -1) return { ...node, calls: [build(index + 1, [], `${path}.0`)] };
    return {
      ...node,
      calls: calls.map((call, i) =>
        i === failed
          ? build(index + 1, call.calldata, `${path}.${i}`)
          : otherCall(call, i < failed ? "undone" : "not run", `${path}.${i}`, index + 1, frame),
      ),
    };
  };
  return build(0, calldata, "0");
}

function otherCall(
  call: Call,
  state: "undone" | "not run",
  path: string,
  depth: number,
  outer: RevertFrame,
): CallNode {
  const target: RevertFrame = {
    contract: feltText(call.to),
    classHash: "0x0",
    selector: feltText(call.selector),
    kind: "call",
    text: "",
  };
  return { ...nodeOf(target, state, call.calldata, path, depth), caller: outer.contract };
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
