import { expect } from "bun:test";
import { NEWEST_PROTOCOL_VERSION } from "#protocol/versions/index.ts";
import {
  type BlockCheckOutcome,
  createBlockVerifier,
  type SyncCheck,
} from "#services/sync/index.ts";
import type { Changeable, SampleBlock } from "./gateway-blocks.ts";

/** Element of a path in JSON: the name of a member or the index of an element. */
export type Name = string | number;

/** Function that changes the JSON of a gateway's block in place. */
export type Change = (json: Changeable) => void;

/** Verifies a block's response bytes as a follower does, under the block's own number and key. */
export async function checkBytes(
  block: SampleBlock,
  text: Uint8Array<ArrayBuffer>,
): Promise<BlockCheckOutcome> {
  const { chainId, number: blockNumber, publicKey } = block;
  const verifier = createBlockVerifier({ chainId, newestVersion: NEWEST_PROTOCOL_VERSION });
  return verifier.checkBlock({ blockNumber, text, signatureText: undefined, publicKey });
}

/**
 * Expects that `check` rejects the block with a matching message, and that there is nothing to store.
 */
export function expectRefused(
  outcome: BlockCheckOutcome,
  blockNumber: number,
  check: SyncCheck,
  message: RegExp,
): void {
  expect(outcome).toEqual({
    kind: "refused",
    refusal: { check, blockNumber, message: expect.stringMatching(message) as string },
  });
}

/** Value at a path. */
export function at(json: unknown, path: readonly Name[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Changeable)[name], json);
}

/** Sets the value at a path. */
export function put(json: Changeable, path: readonly Name[], value: unknown): void {
  (at(json, path.slice(0, -1)) as Changeable)[path.at(-1) ?? ""] = value;
}

/** A different value: with the lowest bit of a number, or the last letter of a text, changed. */
export function flipped(value: unknown): unknown {
  if (typeof value === "number") return value ^ 1;
  if (typeof value !== "string") throw new TypeError(`not a number or text: ${typeof value}`);
  if (value.startsWith("0x")) return `0x${(BigInt(value) ^ 1n).toString(16)}`;
  return `${value.slice(0, -1)}${String.fromCharCode(value.charCodeAt(value.length - 1) ^ 1)}`;
}

/** Changes the lowest bit of the value at a path; see {@link flipped}. */
export function bit(...path: readonly Name[]): Change {
  return (json) => put(json, path, flipped(at(json, path)));
}

/** Returns the path of a member within the block, for {@link put} and {@link bit}. */
export const block = (...path: readonly Name[]): readonly Name[] => ["block", ...path];
/** Returns the path of a member within a transaction, for {@link put} and {@link bit}. */
export const transaction = (index: number, ...path: readonly Name[]): readonly Name[] =>
  block("transactions", index, ...path);
/** Returns the path of a member within a receipt, for {@link put} and {@link bit}. */
export const receipt = (index: number, ...path: readonly Name[]): readonly Name[] =>
  block("transaction_receipts", index, ...path);
/** Returns the path of a member within the state diff, for {@link put} and {@link bit}. */
export const diff = (...path: readonly Name[]): readonly Name[] => [
  "state_update",
  "state_diff",
  ...path,
];
