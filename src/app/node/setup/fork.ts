import type { NodeValues } from "#app/options/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";

/** Options of a fork. Its URLs and headers may contain secrets: only the thread that uses them receives them. */
export interface ForkOptions extends Omit<NodeValues["fork"], "networkUrls"> {
  /** Fields of the chain configuration that the operator sets; the origin decides the others. */
  readonly changedFields: ReadonlySet<string>;
}

/** Fork block as the origin returned it, or as the data directory recorded it. */
export interface ForkPin {
  /** Chain id of the origin, as text. */
  readonly chainId: string;
  /** Header of the fork block. */
  readonly header: BlockHeader;
  /** Headers of the blocks before the fork block, oldest first: 10, fewer if the chain has fewer. */
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
  /** Fork block and its ancestors, for a start while the origin does not respond. */
  readonly pin: ForkPin;
  /** Path of the database of values that the origin returned. */
  readonly database: string;
  /** Maximum size of its values that clients can cause any number of, in bytes. */
  readonly maxLimitedBytes: number;
}

/** Members of a fork that reports show. */
export type ReportedFork = Pick<ForkSetup, "origins" | "forkBlock" | "blockHash" | "originChainId">;

/** Returns scheme, host and port of the URLs, which contain no secrets. */
export function originsOf({ urls }: Pick<ForkOptions, "urls">): readonly string[] {
  return urls.map((url) => new URL(url).origin);
}

/** Combines the options of a fork with its block for the threads. */
export function forkSetupOf(
  options: Pick<ForkOptions, "urls" | "timeoutMs" | "concurrency" | "maxLimitedBytes">,
  pin: ForkPin,
  database: string,
): ForkSetup {
  return {
    forkBlock: pin.header.number,
    blockHash: pin.header.hash,
    originChainId: pin.chainId,
    origins: originsOf(options),
    timeoutMs: options.timeoutMs,
    concurrency: options.concurrency,
    maxLimitedBytes: options.maxLimitedBytes,
    pin,
    database,
  };
}

/** Digits of a block hash on the start screen. */
const SHOWN_DIGITS = 8;

/** Formats origin and block of a fork with the first digits of the hash, without secrets. */
export function forkText({
  origins,
  forkBlock,
  blockHash,
}: Pick<ForkSetup, "origins" | "forkBlock" | "blockHash">): string {
  const hash = hexFromFelt(blockHash);
  const shown = hash.slice(0, "0x".length + SHOWN_DIGITS);
  return `${origins.join(", ")} at block ${forkBlock} (${shown}${shown === hash ? "" : "…"})`;
}
