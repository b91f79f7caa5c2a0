import { isJsonObject, type JsonValue, parseJson, stringifyJson } from "#base/codec/index.ts";
import { type Felt, feltFromHex } from "#base/primitives/index.ts";
import type { BoundMethod, LocalMethod } from "../../bound-method.ts";
import type { ChainContext } from "../../context.ts";
import type { SubmitClient } from "../../transaction-submitter.ts";
import { DevnetFault } from "../fault.ts";
import { type DevnetContext, newestNumber } from "../devnet-context.ts";
import { IMITATED_L1 } from "../methods/postmanFlush.ts";
import { dumpedName, recordingOf } from "./changing.ts";
import type { ChangeKind, RecordedRequest } from "./recorder.ts";

/** Methods that are refused while a dump is being loaded. */
const EXCLUSIVE: readonly string[] = ["devnet_dump", "devnet_load"];

/**
 * Wraps a method so that its requests are recorded, if dumps are enabled, and refused while a dump is being
 * loaded. A method that changes nothing is returned unchanged.
 */
export function withRecording(
  bound: BoundMethod<DevnetContext>,
  wireName: string,
): BoundMethod<DevnetContext> {
  if (bound.runsOn === "query") return bound;
  const name = dumpedName(wireName);
  const recording = recordingOf(name);
  if (recording === undefined && !EXCLUSIVE.includes(name)) return bound;
  const recorded: LocalMethod<DevnetContext> = {
    ...bound,
    invoke(context, params, client) {
      if (context.devnet.dumps.isLoading) {
        throw new DevnetFault("a dump is being loaded: try again later");
      }
      return recording === undefined
        ? bound.invoke(context, params, client)
        : invokeRecorded(bound, name, context, params, client);
    },
  };
  return recorded;
}

/**
 * Runs a method, and records the request if it succeeds.
 *
 * @param name - see {@link dumpedName}
 * @param client - client that sent the request; `THIS_NODE` for requests of the node itself
 * @throws the errors of the method
 */
export async function invokeRecorded(
  bound: LocalMethod<DevnetContext>,
  name: string,
  context: DevnetContext,
  params: JsonValue | undefined,
  client: SubmitClient,
): Promise<JsonValue> {
  const { dumps } = context.devnet;
  if (dumps.on === null) return bound.invoke(context, params, client);
  const next = newestNumber(context) + 1;
  // Keeps only the text while the method runs: for a class it is far smaller than its values.
  const text = stringifyJson(params ?? {});
  const result = await bound.invoke(context, params, client);
  const { recorder } = dumps;
  const recording = recordingOf(name);
  switch (recording) {
    case undefined:
    case "load":
      break;
    case "flush":
      if (!isOfImitatedL1(result)) break;
      recorder.add({ method: name, params: text, kind: "now", block: next });
      break;
    case "restart":
      recorder.clear();
      break;
    case "abort":
      recorder.abort(acceptedNumber(context));
      break;
    default:
      recorder.add({
        method: name,
        params: text,
        ...placeOf(recording, context, { name, text, result, next }),
      });
  }
  return result;
}

interface Answered {
  readonly name: string;
  readonly text: string;
  readonly result: JsonValue;
  /** Block that would have been opened next when the request arrived. */
  readonly next: number;
}

function placeOf(
  kind: ChangeKind,
  context: ChainContext,
  answered: Answered,
): Pick<RecordedRequest, "kind" | "hash" | "block"> {
  const { result, next } = answered;
  switch (kind) {
    case "transaction":
      return { kind, hash: transactionHashOf(result) ?? 0n, block: next };
    case "write":
      return { kind, block: newestNumber(context) };
    case "block":
      return { kind, block: madeBlock(context, result) };
    case "next":
      return makesBlock(answered)
        ? { kind: "block", block: madeBlock(context, result) }
        : { kind, block: isOfOpenBlock(context, answered) ? newestNumber(context) : next };
    case "now":
      return { kind, block: next };
  }
}

/** Returns the transaction hash in a method's result; `undefined` if it created no transaction. */
export function transactionHashOf(result: JsonValue): Felt | undefined {
  if (!isJsonObject(result)) return undefined;
  const hash = result["transaction_hash"] ?? result["tx_hash"];
  return typeof hash === "string" ? feltFromHex(hash) : undefined;
}

/** Whether a flush used the imitated L1, which restarts with the chain. */
function isOfImitatedL1(result: JsonValue): boolean {
  return isJsonObject(result) && result["l1_provider"] === IMITATED_L1;
}

/** Whether a request has set the time of the block being built, not of the next one. */
function isOfOpenBlock(context: ChainContext, { name, text }: Answered): boolean {
  if (name !== "devnet_setTime" && name !== "dev_setNextBlockTimestamp") return false;
  const params = parseJson(text);
  const named = isJsonObject(params) ? (params["time"] ?? params["timestamp"]) : undefined;
  const time = Array.isArray(params) ? params[0] : named;
  return time !== undefined && context.unaccepted().at(-1)?.info.timestamp === time;
}

/** Position of `generate_block` in the parameters of devnet_setGasPrice. */
const GENERATE_BLOCK = 6;

/** Whether a request that changes a setting has also created a block. */
function makesBlock({ name, text, result }: Answered): boolean {
  if (isJsonObject(result) && typeof result["block_hash"] === "string") return true;
  if (name !== "devnet_setGasPrice") return false;
  const params = parseJson(text);
  if (Array.isArray(params)) return params[GENERATE_BLOCK] === true;
  return isJsonObject(params) && params["generate_block"] === true;
}

function madeBlock(context: ChainContext, result: JsonValue): number {
  const text = isJsonObject(result) ? result["block_hash"] : undefined;
  const hash = typeof text === "string" ? feltFromHex(text) : undefined;
  const number = hash === undefined ? undefined : context.chain.numberByHash(hash);
  return number ?? acceptedNumber(context);
}

function acceptedNumber({ chain }: ChainContext): number {
  return chain.latestNumber() ?? 0;
}
