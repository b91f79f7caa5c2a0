import {
  array,
  convert,
  type Decoder,
  ethAddress,
  felt,
  literal,
  object,
  textOf,
} from "#base/codec/index.ts";
import type { ContractCall } from "#engine/execution/index.ts";
import type { BlockId } from "../../block-id.ts";
import { blockIdDecoder } from "../block-ids.ts";
import type { Flags, MessageFromL1 } from "../version.ts";

/** Decoder of BLOCK_ID of JSON-RPC 0.10. */
export const blockId: Decoder<BlockId> = blockIdDecoder({
  latest: "latest",
  pre_confirmed: "pre_confirmed",
  l1_accepted: "l1_accepted",
});

/** Decoder of BLOCK_ID of JSON-RPC 0.10 without `pre_confirmed`. */
export const sealedBlockId: Decoder<BlockId> = blockIdDecoder(
  { latest: "latest", l1_accepted: "l1_accepted" },
  "SEALED_BLOCK_ID",
);

/** Decoder of L1_TXN_HASH of JSON-RPC 0.10. */
export const l1TransactionHash: Decoder<bigint> = convert(
  textOf({ pattern: /^0x[0-9a-fA-F]{1,64}$/, describe: "hash of 256 bits (0x hex)" }),
  "hash of 256 bits (0x hex)",
  (hash) => BigInt(hash),
);

const functionCallMembers = object({
  contract_address: felt,
  entry_point_selector: felt,
  calldata: array(felt),
});

/** Decoder of FUNCTION_CALL of JSON-RPC 0.10. */
export const functionCall: Decoder<ContractCall> = convert(
  functionCallMembers,
  functionCallMembers.describe,
  (call) => ({
    contractAddress: call.contract_address,
    entryPointSelector: call.entry_point_selector,
    calldata: call.calldata,
  }),
);

const messageMembers = object({
  from_address: ethAddress,
  to_address: felt,
  entry_point_selector: felt,
  payload: array(felt),
});

/** Decoder of MSG_FROM_L1 of JSON-RPC 0.10. */
export const messageFromL1: Decoder<MessageFromL1> = convert(
  messageMembers,
  messageMembers.describe,
  (message) => ({
    fromAddress: message.from_address,
    toAddress: message.to_address,
    entryPointSelector: message.entry_point_selector,
    payload: message.payload,
  }),
);

/** Decoder of a list of TXN_RESPONSE_FLAG values of JSON-RPC 0.10. */
export const transactionFlags: Decoder<Flags<"INCLUDE_PROOF_FACTS">> = array(
  literal("INCLUDE_PROOF_FACTS"),
);

/** Decoder of a list of STORAGE_RESPONSE_FLAG values of JSON-RPC 0.10. */
export const storageFlags: Decoder<Flags<"INCLUDE_LAST_UPDATE_BLOCK">> = array(
  literal("INCLUDE_LAST_UPDATE_BLOCK"),
);

/** Decoder of a list of SIMULATION_FLAG_FOR_ESTIMATE_FEE values of JSON-RPC 0.10. */
export const estimateFlags: Decoder<Flags<"SKIP_VALIDATE">> = array(literal("SKIP_VALIDATE"));

/** Decoder of a list of SIMULATION_FLAG values of JSON-RPC 0.10. */
export const simulationFlags: Decoder<
  Flags<"SKIP_VALIDATE" | "SKIP_FEE_CHARGE" | "RETURN_INITIAL_READS">
> = array(literal("SKIP_VALIDATE", "SKIP_FEE_CHARGE", "RETURN_INITIAL_READS"));

/** Decoder of a list of TRACE_FLAG values of JSON-RPC 0.10. */
export const traceFlags: Decoder<Flags<"RETURN_INITIAL_READS">> = array(
  literal("RETURN_INITIAL_READS"),
);
