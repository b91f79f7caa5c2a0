import { keccak } from "@scure/starknet";
import { hexOf } from "./felt.ts";

const known = new Map<string, string>();
const MAX_KNOWN = 20_000;

/**
 * Returns the selector of a function or event in hex: the lowest 250 bits of the Keccak-256 of its name.
 * `__default__` and `__l1_default__` have the selector 0. Source: Starknet documentation, "Contract ABI".
 */
export function selectorOf(name: string): string {
  if (name === "__default__" || name === "__l1_default__") return "0x0";
  let selector = known.get(name);
  if (selector === undefined) {
    if (known.size >= MAX_KNOWN) known.clear();
    selector = hexOf(keccak(new TextEncoder().encode(name)));
    known.set(name, selector);
  }
  return selector;
}
