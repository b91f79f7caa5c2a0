import type { Abi } from "../../abi/abi.ts";
import { namedCall } from "../../decode/named-calls.ts";

/** Name of a function, or its selector. */
export function functionText(abi: Abi | undefined, selector: string): string {
  const isSelector = /^0x[0-9a-fA-F]+$/.test(selector);
  return (isSelector ? namedCall(abi, selector, [], []).name : undefined) ?? selector;
}
