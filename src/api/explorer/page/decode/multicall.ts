import type { Abi } from "../abi/abi.ts";
import { feltText } from "../abi/felt.ts";
import { type Call, type NestedCall, nestedCallsOf } from "./calls.ts";
import type { CallNode } from "./call-tree.ts";
import {
  delegatesOf,
  functionOfNode,
  namedCall,
  type NamedCall,
  namedNode,
} from "./named-calls.ts";

/** Call of a multicall with the call of the trace that ran it. */
export interface RunCall extends Call {
  /** `undefined` if the trace has none: it did not run, or the account changed it. */
  readonly node: CallNode | undefined;
  readonly calls: readonly RunCall[];
}

/**
 * Returns the calls of an invoke's calldata with the calls of the trace that ran them; `undefined` if the calldata has
 * no form of a multicall.
 *
 * @param root - execution of the account; `undefined` without a trace
 */
export function multicallOf(
  calldata: readonly string[],
  root: CallNode | undefined,
): readonly RunCall[] | undefined {
  const calls = nestedCallsOf(calldata);
  return calls === undefined ? undefined : matched(calls, root);
}

/**
 * Decodes a call of a multicall by the class that ran it; one that did not run, by the class of its contract.
 *
 * @param abis - by class hash
 * @param classes - class hashes by contract
 */
export function namedRunCall(
  { to, selector, calldata, node }: RunCall,
  abis: ReadonlyMap<string, Abi>,
  classes: ReadonlyMap<string, string>,
): NamedCall {
  if (node !== undefined && functionOfNode(abis, node) !== undefined) {
    return namedNode(abis, { ...node, calldata, result: [] });
  }
  return namedCall(abis.get(classes.get(feltText(to)) ?? ""), selector, calldata, []);
}

/** Matches calls with the inner calls of a node, in order. */
function matched(calls: readonly NestedCall[], outer: CallNode | undefined): readonly RunCall[] {
  const ran = outer === undefined ? [] : (delegatesOf(outer).at(-1)?.calls ?? []);
  let from = 0;
  return calls.map((call) => {
    const at = ran.findIndex((node, i) => i >= from && isOf(call, node));
    const node = at === -1 ? undefined : ran[at];
    if (node !== undefined) from = at + 1;
    return { ...call, node, calls: matched(call.calls, node) };
  });
}

/** Whether a node of a trace may be the run of a call. */
export function isOf(
  { to, selector }: Call,
  node: Pick<CallNode, "contract" | "selector">,
): boolean {
  return feltText(to) === node.contract && feltText(selector) === node.selector;
}
