import type { Felt } from "#base/primitives/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";

/** Block that a fork continues, by its number or hash; `null` for the origin's latest block at the first start. */
export type ForkBlock =
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "hash"; readonly hash: Felt }
  | null;

/** Header that each request to the origin carries. */
export interface ForkHeader {
  readonly name: string;
  /** May be a secret. */
  readonly value: string;
}

/** Options of a fork. Its URLs and headers may contain secrets: no thread but the fork thread receives them. */
export interface ForkOptions {
  /** URLs of one network; at least one. */
  readonly urls: readonly string[];
  readonly headers: readonly ForkHeader[];
  readonly block: ForkBlock;
  /** Deadline of one value of the origin, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum requests to the origin in flight. */
  readonly concurrency: number;
  /** Transaction before which the fork starts; `null` to start after a block. */
  readonly transaction: Felt | null;
  /** Fields of the chain configuration that the operator sets; the origin decides the others. */
  readonly changedFields: ReadonlySet<string>;
}

/** Fork block as the origin returned it, or as the data directory recorded it. */
export interface ForkPin {
  /** Chain id of the origin, as text. */
  readonly chainId: string;
  /** Header of the fork block. */
  readonly header: BlockHeader;
  /** Headers of the blocks below the fork block, oldest first: 10, fewer if the chain has fewer. */
  readonly ancestors: readonly BlockHeader[];
}

/** Fork as seen by threads: plain data that can be posted. Contains no secrets. */
export interface ForkSetup {
  /** Number of the block that the local chain continues. */
  readonly forkBlock: number;
  /** Hash of that block. */
  readonly blockHash: Felt;
  /** Chain id of the origin, as text. */
  readonly originChainId: string;
  /** Scheme, host and port of each URL, for messages. */
  readonly origins: readonly string[];
  /** Deadline of one value of the origin, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum requests to the origin in flight. */
  readonly concurrency: number;
  /** Path of the database of values that the origin returned. */
  readonly database: string;
}
