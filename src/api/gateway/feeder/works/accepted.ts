import { fail, type QueryContext } from "#api/rpc/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import {
  type GatewayBlock,
  type GatewayBlockStatus,
  type GatewayStateUpdate,
  writeGatewayBlock,
  writeGatewayStateUpdate,
  writeGatewayWholeBlock,
} from "#io/feeder/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";

/** Accepted block as seen by the main thread. */
export interface AcceptedBlock {
  readonly number: number;
  readonly hash: Felt;
  readonly status: GatewayBlockStatus;
}

/**
 * Computes the response of get_block.
 *
 * @throws {RpcFault} BLOCK_NOT_FOUND when the block was reverted
 */
export function acceptedBlock(context: QueryContext, block: AcceptedBlock): JsonObject {
  return context.chain.snapshot(() => writeGatewayBlock(blockOf(context, block)));
}

/** Computes the response of get_state_update. @throws {RpcFault} as {@link acceptedBlock} */
export function acceptedUpdate(context: QueryContext, block: AcceptedBlock): JsonObject {
  return context.chain.snapshot(() => {
    const header = headerOf(context, block);
    return writeGatewayStateUpdate(updateOf(context, header), header.protocolVersion);
  });
}

/**
 * Computes the response of get_state_update with `includeBlock`. @throws {RpcFault} as {@link acceptedBlock}
 */
export function acceptedBlockWithUpdate(
  context: QueryContext,
  block: AcceptedBlock,
  withSignature: boolean,
): JsonObject {
  return context.chain.snapshot(() =>
    writeGatewayWholeBlock({
      block: blockOf(context, block),
      update: updateOf(context, headerOf(context, block)),
      signature: withSignature
        ? (context.chain.signature(block.number) ?? fail("BLOCK_NOT_FOUND"))
        : undefined,
    }),
  );
}

/** Returns the header if the block at this number still has the hash that the main thread has seen. */
export function headerOf(
  { chain }: QueryContext,
  { number, hash }: Pick<AcceptedBlock, "number" | "hash">,
): BlockHeader {
  const header = chain.header(number);
  return header?.hash === hash ? header : fail("BLOCK_NOT_FOUND");
}

function blockOf(context: QueryContext, block: AcceptedBlock): GatewayBlock {
  const { chain } = context;
  return {
    header: { ...headerOf(context, block), status: block.status },
    transactions: chain.transactions(block.number),
    receipts: chain.receipts(block.number),
  };
}

function updateOf({ chain }: QueryContext, header: BlockHeader): GatewayStateUpdate {
  const { number, hash, newRoot } = header;
  const oldRoot = number === 0 ? 0n : chain.ancestorHeader(number - 1)?.newRoot;
  const stateDiff = chain.stateDiff(number);
  if (oldRoot === undefined || stateDiff === undefined) return fail("BLOCK_NOT_FOUND");
  return { blockHash: hash, newRoot, oldRoot, stateDiff };
}
