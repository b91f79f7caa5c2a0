import type { MainContext } from "#api/rpc/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { GatewayBlockStatus } from "#io/feeder/index.ts";
import { blockNotFound, malformed } from "./fault.ts";
import type { Query } from "./query.ts";

/** Which block a request means. */
export type Selection =
  | { readonly kind: "latest" }
  | { readonly kind: "pending" }
  | { readonly kind: "number"; readonly number: bigint }
  | { readonly kind: "hash"; readonly hash: Felt };

/** An accepted block that a request means. */
export interface SelectedBlock {
  readonly header: BlockHeader;
  readonly status: GatewayBlockStatus;
  /** It is meant by its number or hash: the same request means the same block until that is taken back. */
  readonly isNamed: boolean;
}

/**
 * Reads `blockNumber` and `blockHash`; neither, or `null`, is the newest accepted block.
 *
 * @throws {GatewayFault} MALFORMED_REQUEST for both, or for one that is none
 */
export function selectionOf(query: Query): Selection {
  const number = given(query, "blockNumber");
  const hash = given(query, "blockHash");
  if (number !== undefined && hash !== undefined) {
    malformed("Ambiguous criteria: only one of (block number, block hash) can be provided.");
  }
  if (hash !== undefined) {
    return {
      kind: "hash",
      hash: query.felt("blockHash", "Block hash", "OUT_OF_RANGE_BLOCK_HASH") ?? 0n,
    };
  }
  if (number === undefined || number === "latest") return { kind: "latest" };
  if (number === "pending") return { kind: "pending" };
  return { kind: "number", number: query.number("blockNumber") ?? 0n };
}

/** Clients write `null` for what they do not say. */
function given(query: Query, name: string): string | undefined {
  const text = query.text(name);
  return text === "null" ? undefined : text;
}

/**
 * The block that a request means; `pending` is the newest accepted one: a block that stands on the newest
 * one makes followers ask for the block after it.
 *
 * @throws {GatewayFault} BLOCK_NOT_FOUND
 */
export function selectedBlock(context: MainContext, selection: Selection): SelectedBlock {
  const { chain } = context;
  const number = numberOf(context, selection);
  const header = number === undefined ? undefined : chain.header(number);
  if (number === undefined || header === undefined) return absent(context, selection);
  const settled = chain.l1AcceptedNumber() ?? -1;
  return {
    header,
    status: number <= settled ? "ACCEPTED_ON_L1" : "ACCEPTED_ON_L2",
    isNamed: selection.kind === "number" || selection.kind === "hash",
  };
}

/** Blocks before a snapshot are not waited for: they do not come. */
function absent({ chain }: MainContext, selection: Selection): never {
  const oldest = chain.oldestBlock();
  const isNamed = selection.kind === "number" || selection.kind === "hash";
  return blockNotFound(
    isNamed && oldest > 0 ? `Block not found: the oldest block here is ${oldest}` : undefined,
  );
}

/** Number of the accepted block that is meant; `undefined`: there is none. */
function numberOf({ chain }: MainContext, selection: Selection): number | undefined {
  const latest = chain.latestNumber();
  switch (selection.kind) {
    case "latest":
    case "pending":
      return latest;
    case "number":
      return latest !== undefined && selection.number <= latest
        ? Number(selection.number)
        : undefined;
    case "hash":
      return chain.numberByHash(selection.hash);
  }
}
