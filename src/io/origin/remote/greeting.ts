import { type Decoder, felt, integer, json, textOf } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt, shortStringFromFelt } from "#base/primitives/index.ts";
import { remoteHead, type RpcParams } from "#io/client/index.ts";
import { changed, refused, unavailable, unsupported, wrongAnswer } from "../errors.ts";
import type { GreetCall } from "../rpc/lane-requests.ts";
import { type OriginSpec, originSpecOf } from "../rpc/spec.ts";
import { numberId } from "./calls.ts";
import { requireSameHash } from "./fork-blocks.ts";
import { RPC_CODES } from "./rpc-codes.ts";

/** Facts that every URL of an origin must agree on; those not yet known are `undefined`. */
export interface OriginIdentity {
  chainId: Felt | undefined;
  fork: { readonly number: number; readonly hash: Felt } | undefined;
  /** Whether the fork started from `fork`; otherwise the URLs are being compared. */
  isPinned: boolean;
  /** Newest block of each URL, by name. */
  readonly newest: Map<string, number>;
}

const versionText = textOf({ maxLength: 64 });

/**
 * Checks a URL: its specification, its chain, and its fork block. Sets the chain id if it is not yet known.
 *
 * @throws {OriginError} ORIGIN_UNSUPPORTED for a specification that cannot be used or, before the fork is
 *   pinned, for another chain or block; ORIGIN_CHANGED for another chain or another fork block; ORIGIN_UNAVAILABLE
 *   when the URL does not respond or does not have the block yet
 */
export async function greetUrl(
  call: GreetCall,
  name: string,
  identity: OriginIdentity,
): Promise<OriginSpec> {
  const ask = <T>(method: string, params: RpcParams, decoder: Decoder<T>): Promise<T> =>
    read(call, name, method, params, decoder);
  const [version, chainId] = await Promise.all([
    ask("specVersion", {}, versionText),
    ask("chainId", {}, felt),
  ]);
  const spec = originSpecOf(version, name);
  identity.chainId ??= chainId;
  if (chainId !== identity.chainId) {
    const found = `${name} serves chain ${shownChain(chainId)}`;
    const what = `${found}, but the origin is chain ${shownChain(identity.chainId)}`;
    throw identity.isPinned ? changed(what) : unsupported(what);
  }
  if (identity.fork === undefined) {
    identity.newest.set(name, await ask("blockNumber", {}, integer()));
    return spec;
  }
  const { number, hash } = identity.fork;
  const head = await ask("getBlockWithTxHashes", { block_id: numberId(number) }, remoteHead);
  if (identity.isPinned) requireSameHash(name, number, hash, head.hash);
  else if (head.hash !== hash) {
    const hashes = `${hexFromFelt(head.hash)} at ${name}, but ${hexFromFelt(hash)} at another URL`;
    throw unsupported(`block ${number} has hash ${hashes}: all URLs must serve the same chain`);
  }
  return spec;
}

/** Calls a method of a URL. An error means that its node is not ready, except a missing method. */
async function read<T>(
  call: GreetCall,
  name: string,
  method: string,
  params: RpcParams,
  decoder: Decoder<T>,
): Promise<T> {
  const reply = await call({ method: `starknet_${method}`, params });
  if (reply.kind === "missing") throw wrongAnswer(`${name} did not respond with JSON-RPC`);
  if (reply.kind === "refusal") {
    const { refusal } = reply;
    if (refusal.rpcCode !== RPC_CODES.methodNotFound) {
      throw unavailable(`${name} is not ready: ${refusal.message}`, refusal);
    }
    throw refused(`${name} is not a Starknet node: ${refusal.message}`, refusal);
  }
  try {
    return decoder.decode(json.decode(reply.value, ""), "");
  } catch (cause) {
    if (!(cause instanceof DecodeError)) throw cause;
    throw wrongAnswer(`${name}: wrong response to starknet_${method}: ${cause.message}`, cause);
  }
}

function shownChain(chainId: Felt): string {
  const text = shortStringFromFelt(chainId);
  return /^[\x21-\x7e]+$/.test(text) ? text : hexFromFelt(chainId);
}
