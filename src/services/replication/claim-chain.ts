import { ConfigError, DecodeError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { ObjectStore } from "#io/objects/index.ts";
import { type ChainRecord, decodeChain, encodeChain, MAX_CHAIN_BYTES } from "./chain-record.ts";
import { CHAIN } from "./keys.ts";
import { type Patience, persistently } from "./persistently.ts";

/**
 * The chain that a store is of.
 *
 * @returns `undefined`: of none yet
 * @throws {ObjectStoreError} when the store refuses
 * @throws {ConfigError} when it has something else there
 * @throws {NodeError} NODE_STOPPED when the start is called off
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
    throw new ConfigError(`${store.name} is no store of a chain: ${cause.message}`, [], { cause });
  }
}

/**
 * Makes a store one of a chain, unless it is already.
 *
 * @throws {ConfigError} when it is another chain's
 * @throws {ObjectStoreError} when the store refuses
 * @throws {NodeError} NODE_STOPPED when the start is called off
 */
export async function claimChain(
  store: Pick<ObjectStore, "get" | "name" | "putIfAbsent">,
  chain: ChainRecord,
  patience: Patience,
): Promise<void> {
  for (;;) {
    const there = await readChain(store, patience);
    if (there !== undefined) return requireSameChain(store, there, chain);
    const { kind } = await persistently(
      () => store.putIfAbsent(CHAIN, encodeChain(chain)),
      patience,
    );
    if (kind === "stored") return;
  }
}

/**
 * Refuses a store of another chain.
 *
 * @param there - what it says
 * @throws {ConfigError} with an issue for each difference
 */
export function requireSameChain(
  { name }: Pick<ObjectStore, "name">,
  there: ChainRecord,
  ours: ChainRecord,
): void {
  const felt = (member: Exclude<keyof ChainRecord, "chainId">): [string, string, string] => [
    member,
    hexFromFelt(there[member] satisfies Felt),
    hexFromFelt(ours[member]),
  ];
  const issues = (
    [
      ["chainId", there.chainId, ours.chainId],
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

/** As configurations and options call what a record tells. */
const NAMES: Readonly<Record<keyof ChainRecord, string>> = {
  chainId: "chain_id",
  publicKey: "public half of the block-signing key",
  nativeFeeToken: "native_fee_token_address",
  parentFeeToken: "parent_fee_token_address",
};
