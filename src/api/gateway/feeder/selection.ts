import type { MainContext } from "#api/rpc/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { GatewayBlockStatus } from "#io/feeder/index.ts";
import { blockNotFound, malformed } from "./fault.ts";
import type { Query } from "./query.ts";

/** Block that a feeder-gateway request selects: by number, by hash, or by tag. */
export type Selection =
  | { readonly kind: "latest" }
  | { readonly kind: "pending" }
  | { readonly kind: "number"; readonly number: bigint }
  | { readonly kind: "hash"; readonly hash: Felt };

/** Accepted block that a request selects. */
export interface SelectedBlock {
  readonly header: BlockHeader;
  readonly status: GatewayBlockStatus;
  /**
   * Whether it was selected by number or hash: the request selects the same block until a reorg removes it.
   */
  readonly isNamed: boolean;
}

/**
 * Reads `blockNumber` and `blockHash`; if both are absent or `null`, selects the newest accepted block.
 *
 * @throws {GatewayFault} MALFORMED_REQUEST if both are present, or one is invalid
 */
export function selectionOf(query: Query): Selection {
  const number = presentText(query, "blockNumber");
  const hash = presentText(query, "blockHash");
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

/** Clients send `null` for an absent parameter. */
function presentText(query: Query, name: string): string | undefined {
  const text = query.text(name);
  return text === "null" ? undefined : text;
}

/**
 * Returns the selected accepted block. `pending` selects the newest accepted one, and not the open block on top
 * of it: from that block's number, followers would conclude that they can request the block after it.
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

/** Blocks older than the snapshot never become available; the message names the oldest one. */
function absent({ chain }: MainContext, selection: Selection): never {
  const oldest = chain.oldestBlock();
  const isNamed = selection.kind === "number" || selection.kind === "hash";
  return blockNotFound(
    isNamed && oldest > 0 ? `Block not found: the oldest block here is ${oldest}` : undefined,
  );
}

/** Returns the number of the selected accepted block; `undefined` if it does not exist. */
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
