import {
  array,
  convert,
  type Decoder,
  felt,
  isJsonObject,
  lookupNumber,
  memberPath,
  mismatch,
  named,
  objectSchema,
  text,
} from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { MAX_FILTER_ADDRESSES } from "../../events/limits.ts";
import type { BlockId } from "../../block-id.ts";
import type { EventFilter } from "../version.ts";
import { blockId } from "./ids.ts";

const keyPositions = array(array(felt));

/** No maximum here: a page that is too large has its own error. Rust clients send 2^64 - 1. */
const chunkSize = convert(lookupNumber, "integer >= 1", (size) => (size < 1 ? undefined : size));

/** Decoder of `address` in event filters that accept a single one. */
export const oneAddress: Decoder<readonly Felt[]> = convert(felt, felt.describe, (one) => [one]);

const addressList = array(felt, { maxLength: MAX_FILTER_ADDRESSES });

/** Decoder of `address` in event filters that accept one or a list; an empty list means any. */
export const oneOrManyAddresses: Decoder<readonly Felt[]> = {
  describe: `${felt.describe} or ${addressList.describe}`,
  schema: { oneOf: [felt.schema ?? {}, addressList.schema ?? {}] },
  decode(value, path) {
    if (typeof value === "string") return oneAddress.decode(value, path);
    if (!Array.isArray(value)) return mismatch(path, oneOrManyAddresses.describe, value);
    return addressList.decode(value, path);
  },
};

/**
 * Creates the decoder of EVENT_FILTER with RESULT_PAGE_REQUEST for a version.
 *
 * @param id - decoder of its block ids
 * @param address - decoder of its `address`
 */
export function eventFilterOf(
  id: Decoder<BlockId>,
  address: Decoder<readonly Felt[]>,
): Decoder<EventFilter> {
  const describe = "object with chunk_size and the filter's members";
  const members = {
    from_block: id,
    to_block: id,
    address,
    keys: keyPositions,
    continuation_token: text,
  };
  const orNull = Object.entries(members).map(
    ([name, { schema = {} }]) => [name, { anyOf: [schema, { type: "null" }] }] as const,
  );
  return {
    describe,
    schema: named(
      "EVENT_FILTER",
      objectSchema({ chunk_size: chunkSize.schema ?? {} }, Object.fromEntries(orNull), false),
    ),
    decode(value, path) {
      if (!isJsonObject(value)) return mismatch(path, describe, value);
      const read = <T>(name: string, decoder: Decoder<T>): T | undefined => {
        const member = value[name];
        return member === undefined || member === null
          ? undefined
          : decoder.decode(member, memberPath(path, name));
      };
      const fromBlock = read("from_block", id);
      const toBlock = read("to_block", id);
      const continuationToken = read("continuation_token", text);
      return {
        ...(fromBlock === undefined ? {} : { fromBlock }),
        ...(toBlock === undefined ? {} : { toBlock }),
        ...(continuationToken === undefined ? {} : { continuationToken }),
        addresses: read("address", address) ?? [],
        keys: read("keys", keyPositions) ?? [],
        chunkSize: chunkSize.decode(value["chunk_size"], memberPath(path, "chunk_size")),
      };
    },
  };
}

/** Decoder of EVENT_FILTER with RESULT_PAGE_REQUEST of JSON-RPC 0.10. */
export const eventFilter: Decoder<EventFilter> = eventFilterOf(blockId, oneOrManyAddresses);
