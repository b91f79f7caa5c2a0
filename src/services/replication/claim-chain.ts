import { ConfigError, DecodeError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { ObjectStore } from "#io/objects/index.ts";
import { type ChainRecord, decodeChain, encodeChain, MAX_CHAIN_BYTES } from "./chain-record.ts";
import { CHAIN } from "./keys.ts";
import { type Patience, persistently } from "./persistently.ts";

/**
 * Reads the chain that a store belongs to.
 *
 * @returns `undefined` if no chain has claimed the store
 * @throws {ObjectStoreError} when the store refuses the request
 * @throws {ConfigError} when the stored object is not a chain record
 * @throws {NodeError} NODE_STOPPED when the start is cancelled
 */
export async function readChain(
  store: Pick<ObjectStore, "get" | "name">,
  patience: Patience,
): Promise<ChainRecord | undefined> {
  const object = await persistently(() => store.get(CHAIN, MAX_CHAIN_BYTES), patience);
  if (object === undefined) return undefined;
  try {
    return decodeChain(object.bytes);
  } catch (cause) {
    if (!(cause instanceof DecodeError)) throw cause;
    throw new ConfigError(`${store.name} is not the store of a chain: ${cause.message}`, [], {
      cause,
    });
  }
}

/**
 * Claims a store for a chain; does nothing if the chain has already claimed it.
 *
 * @throws {ConfigError} when the store belongs to another chain
 * @throws {ObjectStoreError} when the store refuses a request
 * @throws {NodeError} NODE_STOPPED when the start is cancelled
 */
export async function claimChain(
  store: Pick<ObjectStore, "get" | "name" | "putIfAbsent">,
  chain: ChainRecord,
  patience: Patience,
): Promise<void> {
  for (;;) {
    const stored = await readChain(store, patience);
    if (stored !== undefined) return requireSameChain(store, stored, chain);
    const { kind } = await persistently(
      () => store.putIfAbsent(CHAIN, encodeChain(chain)),
      patience,
    );
    if (kind === "stored") return;
  }
}

/**
 * Rejects a store that belongs to another chain.
 *
 * @param stored - record in the store
 * @throws {ConfigError} with one issue per difference
 */
export function requireSameChain(
  { name }: Pick<ObjectStore, "name">,
  stored: ChainRecord,
  ours: ChainRecord,
): void {
  const felt = (member: Exclude<keyof ChainRecord, "chainId">): [string, string, string] => [
    member,
    hexFromFelt(stored[member] satisfies Felt),
    hexFromFelt(ours[member]),
  ];
  const issues = (
    [
      ["chainId", stored.chainId, ours.chainId],
      felt("publicKey"),
      felt("nativeFeeToken"),
      felt("parentFeeToken"),
    ] as const
  )
    .filter(([, theirs, own]) => theirs !== own)
    .map(([member, theirs, own]) => ({
      path: NAMES[member as keyof ChainRecord],
      line: 0,
      message: `the store's chain has ${theirs}, this one ${own}`,
    }));
  if (issues.length === 0) return;
  const count = issues.length === 1 ? "1 difference" : `${issues.length} differences`;
  throw new ConfigError(`${name} is the store of another chain: ${count}`, issues);
}

/** Names of the record's members in configurations and options. */
const NAMES: Readonly<Record<keyof ChainRecord, string>> = {
  chainId: "chain_id",
  publicKey: "public half of the block-signing key",
  nativeFeeToken: "native_fee_token_address",
  parentFeeToken: "parent_fee_token_address",
};
