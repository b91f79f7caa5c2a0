import type { JsonValue } from "#base/codec/index.ts";
import { feltFromHex, hexFromFelt } from "#base/primitives/index.ts";
import { readRequest, type RequestId } from "../../json-rpc.ts";
import { shorten } from "../../offending-value.ts";
import type { DevnetFork } from "../access.ts";
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

/** Start of the id of the entry that names the fork of a dump. */
const FORK_MARK = "appchain:fork";

/** Method of that entry: it changes nothing in other programs. */
const FORK_METHOD = "devnet_getConfig";

/** A decoded dump. */
export interface Dump {
  /** Fork that the dump is of; `null` if it names none. */
  readonly fork: DevnetFork | null;
  readonly entries: readonly DumpEntry[];
}

/** Creates the first entry of a fork's dump. */
export function forkEntry({ blockNumber, blockHash, chainId }: DevnetFork): DumpEntry {
  const id = `${FORK_MARK}:${blockNumber}:${hexFromFelt(blockHash)}:${chainId}`;
  return { method: FORK_METHOD, params: {}, id };
}

/** Reads the output of {@link forkEntry}; `undefined` for other entries. */
function forkOf({ method, id }: Pick<DumpEntry, "method" | "id">): DevnetFork | undefined {
  if (method !== FORK_METHOD || typeof id !== "string") return undefined;
  const match = /^appchain:fork:(\d{1,15}):(0x[\da-f]{1,64}):(.*)$/s.exec(id);
  const blockHash = feltFromHex(match?.[2] ?? "");
  if (match === null || blockHash === undefined) return undefined;
  return { blockNumber: Number(match[1]), blockHash, chainId: match[3] ?? "" };
}

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
export function decodeDump(value: JsonValue): Dump {
  if (!Array.isArray(value)) {
    throw new DevnetFault(`the dump: expected an array of requests, got ${kindOf(value)}`);
  }
  const items = value as readonly JsonValue[];
  if (items.length > MAX_DUMP_ENTRIES) {
    throw new DevnetFault(
      `the dump has ${items.length} entries, at most ${MAX_DUMP_ENTRIES} are allowed`,
    );
  }
  let fork: DevnetFork | null = null;
  const entries = items.flatMap((item, index) => {
    const reading = readRequest(item);
    if (reading.kind === "invalid") {
      throw new DevnetFault(`entry ${index}: expected a JSON-RPC 2.0 request with a method`);
    }
    const { id, method, params } = reading.request;
    const named = forkOf({ method, id });
    if (named !== undefined) {
      fork ??= named;
      return [];
    }
    const name = dumpedName(method);
    if (!isDumped(name)) {
      throw new DevnetFault(
        `${entryName(index, method)}: expected a method that changes the chain and can be replayed`,
      );
    }
    return [{ method: name, params, id }];
  });
  return { fork, entries };
}

/** The document may be any file: its content must not be shown. */
function kindOf(value: JsonValue): string {
  return value === null ? "null" : typeof value;
}
