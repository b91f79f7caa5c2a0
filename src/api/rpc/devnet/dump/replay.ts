import { isJsonObject, type JsonValue } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { toRpcError } from "../../json-rpc.ts";
import type { LocalMethod } from "../../bound-method.ts";
import { InvalidParamsError } from "../../decode-params.ts";
import { SPEC_0_10_2 } from "../../spec/v0_10/index.ts";
import { THIS_NODE } from "../../transaction-submitter.ts";
import { type DevnetContext, newestNumber, newestTimestamp } from "../devnet-context.ts";
import { DEVNET_CODES, DevnetFault } from "../fault.ts";
import { shorten } from "../../offending-value.ts";
import type { DevnetFork } from "../access.ts";
import type { DumpAccess } from "./access.ts";
import { recordingOf } from "./changing.ts";
import { type Dump, type DumpEntry, entryName, hasBlocks, MARKS } from "./entry.ts";
import { invokeRecorded, transactionHashOf } from "./recording.ts";

/** Finds a method in every version of the specification that has it, newest first. */
export type MethodLookup = (wireName: string) => readonly LocalMethod<DevnetContext>[];

/** Dependencies of loading a dump. */
export interface ReplayDeps {
  readonly context: DevnetContext;
  readonly dumps: DumpAccess;
  readonly find: MethodLookup;
}

/**
 * Restarts the chain and replays the requests of a dump one by one: each transaction is executed before the
 * next request. A dump with block marks reproduces the same blocks; otherwise blocks are created according to
 * the node's settings.
 *
 * @param isStart - whether the node is starting
 * @throws {DevnetFault} naming the entry that failed, or both forks of a dump of another chain; the chain is as
 *   before
 */
export async function loadDump(
  deps: ReplayDeps,
  { fork, entries }: Dump,
  isStart: boolean,
): Promise<void> {
  requireSameFork(fork, deps.context.devnet);
  await deps.dumps.whole(() => replayAll(deps, entries), isStart);
}

async function replayAll(deps: ReplayDeps, entries: readonly DumpEntry[]): Promise<void> {
  const { context, dumps } = deps;
  dumps.isLoading = true;
  try {
    // Before the restart: with interval mining, a restarted chain opens its first block immediately.
    if (hasBlocks(entries)) dumps.hold(true);
    await context.devnet.restart(true);
    dumps.recorder.clear();
    for (const [index, entry] of entries.entries()) await replay(deps, entry, index);
    await dumps.resumeTime(newestTimestamp(context));
  } finally {
    dumps.hold(false);
    dumps.isLoading = false;
  }
  await dumps.accepted(newestNumber(context));
}

/** Requests of another fork would fail in the middle, or succeed with other results. */
function requireSameFork(dumped: DevnetFork | null, { fork }: DevnetContext["devnet"]): void {
  if (dumped === null) return;
  const isSame =
    fork !== null && dumped.blockHash === fork.blockHash && dumped.chainId === fork.chainId;
  if (isSame) return;
  const here = fork === null ? "no fork" : `a fork of ${forkText(fork)}`;
  throw new DevnetFault(`the dump is of a fork of ${forkText(dumped)}, and this chain is ${here}`);
}

function forkText({ chainId, blockNumber, blockHash }: DevnetFork): string {
  return `block ${blockNumber} (${hexFromFelt(blockHash)}) of ${shorten(chainId, MAX_CHAIN_ID)}`;
}

/** Maximum characters of a chain id. */
const MAX_CHAIN_ID = 31;

async function replay(deps: ReplayDeps, entry: DumpEntry, index: number): Promise<void> {
  try {
    await send(deps, entry);
  } catch (thrown) {
    const { method } = entry;
    const { error } = toRpcError(thrown, SPEC_0_10_2, method, crypto.randomUUID());
    const { code, message, data } = error;
    const why = `${entryName(index, method)} cannot be replayed: ${message}${detail(data)}`;
    const details = { entry: index, method, error: { code, message, data } };
    throw new DevnetFault(why, DEVNET_CODES.failed, details);
  }
}

async function send({ context, dumps, find }: ReplayDeps, entry: DumpEntry): Promise<void> {
  const { method, id } = entry;
  const result = await invokeAny(find(method), context, entry);
  if (recordingOf(method) !== "transaction") return;
  const hash = transactionHashOf(result);
  if (hash === undefined) return;
  const isExpected = typeof id !== "string" || !/^0x[\da-f]+$/i.test(id) || BigInt(id) === hash;
  if (!isExpected) {
    throw new DevnetFault(`it creates transaction ${hexFromFelt(hash)} instead of ${id}`);
  }
  if (id !== MARKS.waiting) await dumps.executed(hash);
}

/** The request may have the form of an older version of the specification. */
async function invokeAny(
  methods: readonly LocalMethod<DevnetContext>[],
  context: DevnetContext,
  { method, params, id }: DumpEntry,
): Promise<JsonValue> {
  const isAdded = id === MARKS.open || id === MARKS.seal;
  let refusal: InvalidParamsError | undefined;
  for (const bound of methods) {
    try {
      return await (isAdded
        ? bound.invoke(context, params, THIS_NODE)
        : invokeRecorded(bound, method, context, params, THIS_NODE));
    } catch (error) {
      if (!(error instanceof InvalidParamsError)) throw error;
      refusal ??= error;
    }
  }
  throw refusal ?? new DevnetFault("this node does not have the method");
}

function detail(data: JsonValue | undefined): string {
  if (typeof data === "string") return `: ${data}`;
  if (!isJsonObject(data)) return "";
  const { path, expected } = data;
  return typeof path === "string" && typeof expected === "string"
    ? `: ${path}: expected ${expected}`
    : "";
}
