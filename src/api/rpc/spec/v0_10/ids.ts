import {
  array,
  convert,
  type Decoder,
  ethAddress,
  felt,
  integer,
  isJsonObject,
  literal,
  lookupNumber,
  memberPath,
  mismatch,
  object,
  text,
} from "#base/codec/index.ts";
import type { ContractCall } from "#engine/execution/index.ts";
import type { BlockId } from "../../block-id.ts";
import type { EventFilter, Flags, MessageFromL1 } from "../version.ts";

const TAGS = ["latest", "pre_confirmed", "l1_accepted"] as const;
const DESCRIBE_BLOCK_ID = `block id: {"block_hash": felt}, {"block_number": integer >= 0} or one of ${TAGS.map((tag) => `"${tag}"`).join(", ")}`;
const blockNumber = lookupNumber;

/** BLOCK_ID. */
export const blockId: Decoder<BlockId> = {
  describe: DESCRIBE_BLOCK_ID,
  decode(value, path) {
    if (typeof value === "string") {
      const tag = TAGS.find((known) => known === value);
      return tag === undefined ? mismatch(path, DESCRIBE_BLOCK_ID, value) : { kind: tag };
    }
    if (!isJsonObject(value)) return mismatch(path, DESCRIBE_BLOCK_ID, value);
    const { block_hash: hash, block_number: number } = value;
    if ((hash === undefined) === (number === undefined)) {
      return mismatch(path, DESCRIBE_BLOCK_ID, value);
    }
    return hash === undefined
      ? { kind: "number", number: blockNumber.decode(number, memberPath(path, "block_number")) }
      : { kind: "hash", hash: felt.decode(hash, memberPath(path, "block_hash")) };
  },
};

/** BLOCK_ID without `pre_confirmed`. */
export const sealedBlockId: Decoder<BlockId> = {
  describe: DESCRIBE_BLOCK_ID.replace(', "pre_confirmed"', ""),
  decode(value, path) {
    const id = blockId.decode(value, path);
    return id.kind === "pre_confirmed" ? mismatch(path, sealedBlockId.describe, value) : id;
  },
};

const functionCallMembers = object({
  contract_address: felt,
  entry_point_selector: felt,
  calldata: array(felt),
});

/** FUNCTION_CALL. */
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

/** MSG_FROM_L1. */
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

const feltList = array(felt);
const keyPositions = array(feltList);
const chunkSize = integer(1);

/** EVENT_FILTER with RESULT_PAGE_REQUEST. */
export const eventFilter: Decoder<EventFilter> = {
  describe: "object with chunk_size and the filter's members",
  decode(value, path) {
    if (!isJsonObject(value)) return mismatch(path, eventFilter.describe, value);
    const read = <T>(name: string, decoder: Decoder<T>): T | undefined => {
      const member = value[name];
      return member === undefined || member === null
        ? undefined
        : decoder.decode(member, memberPath(path, name));
    };
    const fromBlock = read("from_block", blockId);
    const toBlock = read("to_block", blockId);
    const continuationToken = read("continuation_token", text);
    const address = value["address"];
    const addresses =
      typeof address === "string"
        ? [felt.decode(address, memberPath(path, "address"))]
        : (read("address", feltList) ?? []);
    return {
      ...(fromBlock === undefined ? {} : { fromBlock }),
      ...(toBlock === undefined ? {} : { toBlock }),
      ...(continuationToken === undefined ? {} : { continuationToken }),
      addresses,
      keys: read("keys", keyPositions) ?? [],
      chunkSize: chunkSize.decode(value["chunk_size"], memberPath(path, "chunk_size")),
    };
  },
};

/** TXN_RESPONSE_FLAG list. */
export const transactionFlags: Decoder<Flags<"INCLUDE_PROOF_FACTS">> = array(
  literal("INCLUDE_PROOF_FACTS"),
);

/** STORAGE_RESPONSE_FLAG list. */
export const storageFlags: Decoder<Flags<"INCLUDE_LAST_UPDATE_BLOCK">> = array(
  literal("INCLUDE_LAST_UPDATE_BLOCK"),
);

/** SIMULATION_FLAG_FOR_ESTIMATE_FEE list. */
export const estimateFlags: Decoder<Flags<"SKIP_VALIDATE">> = array(literal("SKIP_VALIDATE"));

/** SIMULATION_FLAG list. */
export const simulationFlags: Decoder<
  Flags<"SKIP_VALIDATE" | "SKIP_FEE_CHARGE" | "RETURN_INITIAL_READS">
> = array(literal("SKIP_VALIDATE", "SKIP_FEE_CHARGE", "RETURN_INITIAL_READS"));

/** TRACE_FLAG list. */
export const traceFlags: Decoder<Flags<"RETURN_INITIAL_READS">> = array(
  literal("RETURN_INITIAL_READS"),
);
