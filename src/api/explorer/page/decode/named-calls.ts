import { type Abi, type AbiFunction, EMPTY_ABI, functionOf } from "../abi/abi.ts";
import { decodeFelts, type DecodedList } from "../abi/decode.ts";
import type { CallNode } from "./call-tree.ts";

/** Call with the name and values that the ABI of its class gives. */
export interface NamedCall {
  /** Name of the function; `undefined` if the ABI has none with this selector. */
  readonly name: string | undefined;
  readonly inputs: DecodedList;
  readonly outputs: DecodedList;
}

/** Decodes a call by the ABI of the class that ran it. */
export function namedCall(
  abi: Abi | undefined,
  selector: string,
  calldata: readonly string[],
  result: readonly string[],
): NamedCall {
  const known = abi ?? EMPTY_ABI;
  const found = functionOf(known, selector);
  return {
    name: found?.name,
    inputs: decodeFelts(known, found?.inputs ?? [], calldata),
    outputs: decodeFelts(known, found?.outputs ?? [], result),
  };
}

/**
 * Decodes a call of a trace. A proxy has no function with the selector: the class that it delegates to is used.
 *
 * @param abis - by class hash
 */
export function namedNode(abis: ReadonlyMap<string, Abi>, node: CallNode): NamedCall {
  const chain = delegatesOf(node).map(({ classHash }) => abis.get(classHash));
  const abi = chain.find((one) => one !== undefined && functionOf(one, node.selector)) ?? chain[0];
  const named = namedCall(abi, node.selector, node.calldata, node.result);
  // The result of a call that was reverted is panic data; `panic` has it.
  return node.isReverted ? { ...named, outputs: { values: [], rest: [], problem: null } } : named;
}

/** Returns the function that a call of a trace ran; `undefined` if no ABI names it. */
export function functionOfNode(
  abis: ReadonlyMap<string, Abi>,
  node: CallNode,
): AbiFunction | undefined {
  for (const { classHash } of delegatesOf(node)) {
    const abi = abis.get(classHash);
    const found = abi === undefined ? undefined : functionOf(abi, node.selector);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns a call and the library calls that it delegates itself to: same selector, same contract. */
export function delegatesOf(node: CallNode): readonly CallNode[] {
  const chain = [node];
  for (let next: CallNode | undefined = node; next !== undefined;) {
    const { selector, contract }: CallNode = next;
    next = next.calls.find(
      (call) =>
        call.callType !== "CALL" && call.selector === selector && call.contract === contract,
    );
    if (next !== undefined) chain.push(next);
  }
  return chain;
}
