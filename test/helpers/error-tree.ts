import { expect } from "bun:test";
import { hash } from "starknet";
import type { rawCall } from "./binary.ts";

/** A frame of an error with its inner error. */
export interface ErrorTree {
  readonly contract_address: string;
  readonly class_hash: string;
  readonly selector: string;
  readonly error: ErrorTree | string;
}

/** Call that a transaction makes: contract, function name or selector, and calldata. */
export type TransactionCall = readonly [to: string, selector: string, data: readonly string[]];

/** Returns the members of the data of a JSON-RPC error response; empty without an error. */
export function dataOf({
  error,
}: Awaited<ReturnType<typeof rawCall>>): Readonly<Record<string, ErrorTree>> {
  return (error?.data ?? {}) as Readonly<Record<string, ErrorTree>>;
}

/** Frames from the outermost inwards, and the innermost error. */
export function framesOf(tree: ErrorTree | string | undefined): (ErrorTree | string)[] {
  if (typeof tree !== "object") return [String(tree)];
  expect(tree.class_hash).toMatch(/^0x[0-9a-f]+$/);
  return [tree, ...framesOf(tree.error)];
}

const NO_BOUND = { max_amount: "0x0", max_price_per_unit: "0x0" };

/** Calldata of an account's `__execute__` for calls: number of calls, then the calls. Lengths are 0x hex. */
export function executeCalldata(calls: readonly TransactionCall[]): string[] {
  const size = (length: number): string => `0x${length.toString(16)}`;
  return [
    size(calls.length),
    ...calls.flatMap(([to, selector, data]) => [to, selector, size(data.length), ...data]),
  ];
}

/** An invoke for an estimate or a simulation. */
export function invokeOf(
  sender: string,
  calls: readonly TransactionCall[],
  signature: readonly string[],
  nonce = "0x0",
) {
  return {
    type: "INVOKE",
    version: "0x3",
    sender_address: sender,
    calldata: executeCalldata(calls),
    signature,
    nonce,
    resource_bounds: { l1_gas: NO_BOUND, l2_gas: NO_BOUND, l1_data_gas: NO_BOUND },
    tip: "0x0",
    paymaster_data: [],
    account_deployment_data: [],
    nonce_data_availability_mode: "L1",
    fee_data_availability_mode: "L1",
  };
}

/** Selector of a function by its name; a number stays unchanged. */
export function selectorOf(name: string): string {
  return name.startsWith("0x") ? name : hash.getSelectorFromName(name);
}
