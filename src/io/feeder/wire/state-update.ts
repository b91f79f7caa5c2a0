import { isJsonObject, type JsonObject, type JsonValue, object } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { GatewayStateUpdate, GatewayWholeBlock } from "../types.ts";
import { readGatewayBlock, writeGatewayBlock } from "./block.ts";
import { felt } from "./numbers.ts";
import { readSignaturePair, writeSignaturePair } from "./signature.ts";
import { gatewayStateDiff, hasMigrations } from "./state-diff.ts";

const update = object({
  block_hash: felt,
  new_root: felt,
  old_root: felt,
  state_diff: { describe: "state diff", decode: gatewayStateDiff.read },
});

/**
 * Decodes the response of get_state_update without a block.
 *
 * @throws {DecodeError} naming the first invalid place
 */
export function readGatewayStateUpdate(value: JsonValue, path = ""): GatewayStateUpdate {
  const read = update.decode(value, path);
  return {
    blockHash: read.block_hash,
    newRoot: read.new_root,
    oldRoot: read.old_root,
    stateDiff: read.state_diff,
  };
}

/**
 * Encodes the response of get_state_update without a block.
 *
 * @param protocolVersion - version of the block; from 0.14.1 on the diff has migrated classes
 */
export function writeGatewayStateUpdate(
  stateUpdate: GatewayStateUpdate,
  protocolVersion: string,
): JsonObject {
  return {
    block_hash: hexFromFelt(stateUpdate.blockHash),
    new_root: hexFromFelt(stateUpdate.newRoot),
    old_root: hexFromFelt(stateUpdate.oldRoot),
    state_diff: gatewayStateDiff.write(stateUpdate.stateDiff, hasMigrations(protocolVersion)),
  };
}

const whole = object({
  block: { describe: "block", decode: asJson },
  state_update: { describe: "state update", decode: asJson },
});

/**
 * Decodes the response of get_state_update with `includeBlock`. It has a signature if the gateway supports
 * `includeSignature`.
 *
 * @throws {DecodeError} naming the first invalid place
 */
export function readGatewayWholeBlock(value: JsonValue): GatewayWholeBlock {
  const read = whole.decode(value, "");
  const signature = isJsonObject(value) ? value["signature"] : undefined;
  return {
    block: readGatewayBlock(read.block, "block"),
    update: readGatewayStateUpdate(read.state_update, "state_update"),
    signature: signature === undefined ? undefined : readSignaturePair(signature, "signature"),
  };
}

/** Encodes the response of get_state_update with `includeBlock`; a signature is for `includeSignature`. */
export function writeGatewayWholeBlock(wholeBlock: GatewayWholeBlock): JsonObject {
  const { block, update, signature } = wholeBlock;
  return {
    block: writeGatewayBlock(block),
    state_update: writeGatewayStateUpdate(update, block.header.protocolVersion),
    signature: signature === undefined ? undefined : writeSignaturePair(signature),
  };
}

function asJson(value: unknown): JsonValue {
  return value as JsonValue;
}
