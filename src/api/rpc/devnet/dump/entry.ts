import type { JsonValue } from "#base/codec/index.ts";
import { readRequest, type RequestId } from "../../json-rpc.ts";
import { shorten } from "../../offending-value.ts";
import { DevnetFault } from "../fault.ts";
import { dumpedName, isDumped } from "./changing.ts";

/**
 * One request of a dump: a JSON-RPC request with exactly the members that starknet-devnet reads and
 * writes. The `id` of a transaction is the hash that it must give again; {@link MARKS} are ids of
 * requests that nobody has sent.
 */
export interface DumpEntry {
  readonly method: string;
  readonly params: JsonValue | undefined;
  readonly id: RequestId;
}

/**
 * Ids of requests that a dump adds so that its blocks come out the same: the time of a block that is
 * opened next, the end of a block. A request with `waiting` was received and is in no block.
 */
export const MARKS = {
  open: "appchain:open",
  seal: "appchain:seal",
  waiting: "appchain:waiting",
} as const;

/** Most entries of a dump; two of them are there for each block. */
export const MAX_DUMP_ENTRIES = 500_000;

/** Whether blocks are made by the entries of a dump, and not by the node's own settings. */
export function hasBlocks(entries: readonly DumpEntry[]): boolean {
  return entries.some(({ id }) => id === MARKS.open || id === MARKS.seal);
}

/** What an error calls an entry, counted from 0. */
export function entryName(index: number, method: string): string {
  return `entry ${index} (${shorten(method, 64)})`;
}

/**
 * Reads a dump.
 *
 * @throws {DevnetFault} naming the first entry that is none
 */
export function decodeDump(value: JsonValue): readonly DumpEntry[] {
  if (!Array.isArray(value)) {
    throw new DevnetFault(`the dump: expected an array of requests, got ${kindOf(value)}`);
  }
  const items = value as readonly JsonValue[];
  if (items.length > MAX_DUMP_ENTRIES) {
    throw new DevnetFault(
      `the dump has ${items.length} entries, at most ${MAX_DUMP_ENTRIES} are taken`,
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

/** The document may be any file: nothing of it is shown. */
function kindOf(value: JsonValue): string {
  return value === null ? "null" : typeof value;
}
