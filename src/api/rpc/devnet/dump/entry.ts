import type { JsonValue } from "#base/codec/index.ts";
import { readRequest, type RequestId } from "../../json-rpc.ts";
import { shorten } from "../../offending-value.ts";
import { DevnetFault } from "../fault.ts";
import { dumpedName, isDumped } from "./changing.ts";

/**
 * Request in a dump: a JSON-RPC request with exactly the members that starknet-devnet reads and writes. The
 * `id` of a transaction is its expected hash; {@link MARKS} are ids of entries that no client has sent.
 */
export interface DumpEntry {
  readonly method: string;
  readonly params: JsonValue | undefined;
  readonly id: RequestId;
}

/**
 * Ids of entries that a dump adds to reproduce its blocks: `open` sets the time of the next block, `seal`
 * ends a block. `waiting` marks a received transaction that is in no block.
 */
export const MARKS = {
  open: "appchain:open",
  seal: "appchain:seal",
  waiting: "appchain:waiting",
} as const;

/** Maximum entries of a dump; each block takes two of them. */
export const MAX_DUMP_ENTRIES = 500_000;

/** Whether the entries of a dump control block creation, instead of the node's settings. */
export function hasBlocks(entries: readonly DumpEntry[]): boolean {
  return entries.some(({ id }) => id === MARKS.open || id === MARKS.seal);
}

/** Returns the name of an entry in error messages, with its index from 0. */
export function entryName(index: number, method: string): string {
  return `entry ${index} (${shorten(method, 64)})`;
}

/**
 * Decodes a dump.
 *
 * @throws {DevnetFault} naming the first invalid entry
 */
export function decodeDump(value: JsonValue): readonly DumpEntry[] {
  if (!Array.isArray(value)) {
    throw new DevnetFault(`the dump: expected an array of requests, got ${kindOf(value)}`);
  }
  const items = value as readonly JsonValue[];
  if (items.length > MAX_DUMP_ENTRIES) {
    throw new DevnetFault(
      `the dump has ${items.length} entries, at most ${MAX_DUMP_ENTRIES} are allowed`,
    );
  }
  return items.map((item, index) => {
    const reading = readRequest(item);
    if (reading.kind === "invalid") {
      throw new DevnetFault(`entry ${index}: expected a JSON-RPC 2.0 request with a method`);
    }
    const { id, method, params } = reading.request;
    const name = dumpedName(method);
    if (!isDumped(name)) {
      throw new DevnetFault(
        `${entryName(index, method)}: expected a method that changes the chain and can be replayed`,
      );
    }
    return { method: name, params, id };
  });
}

/** The document may be any file: its content must not be shown. */
function kindOf(value: JsonValue): string {
  return value === null ? "null" : typeof value;
}
