import type { CallNode } from "./call-tree.ts";
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
    contract: call.to,
    classHash: "0x0",
    selector: call.selector,
    kind: "call",
    text: "",
  };
  return { ...nodeOf(target, state, call.calldata, path, depth), caller: outer.contract };
}

function nodeOf(
  { contract, classHash, selector, kind, text }: RevertFrame,
  state: CallNode["state"],
  calldata: readonly string[],
  path: string,
  depth: number,
): CallNode {
  return {
    path,
    contract,
    classHash,
    selector,
    entryPointType: kind === "constructor" ? "CONSTRUCTOR" : "EXTERNAL",
    callType: kind === "library call" ? "LIBRARY_CALL" : "CALL",
    caller: "0x0",
    calldata,
    result: [],
    isReverted: state === "failed",
    state,
    panic: null,
    reason: text,
    events: [],
    messages: [],
    gas: 0,
    l1Gas: 0,
    l2Gas: 0,
    ownGas: 0,
    depth,
    calls: [],
    isCut: false,
  };
}
