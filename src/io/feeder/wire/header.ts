import {
  type Codec,
  integer,
  isJsonObject,
  type JsonObject,
  literal,
  memberPath,
  mismatch,
  text,
} from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { BlockInfo, GasPrices, ResourcePrice } from "#protocol/chain/index.ts";
import { compareProtocolVersions, isProtocolVersion } from "#protocol/versions/index.ts";
import { field, members, optionalField } from "./members.ts";
import { felt, u128 } from "./numbers.ts";

const price: Codec<ResourcePrice> = members("price", {
  wei: field("price_in_wei", u128),
  fri: field("price_in_fri", u128),
});

/** Price for blocks that do not have this one. */
const NO_PRICE: ResourcePrice = { wei: 1n, fri: 1n };

const daMode = literal("BLOB", "CALLDATA");

const protocolVersion: Codec<string> = {
  describe: "protocol version such as 0.13.2",
  decode(value, path) {
    const isVersion = typeof value === "string" && (value === "" || isProtocolVersion(value));
    return isVersion ? value : mismatch(path, protocolVersion.describe, value);
  },
  encode: text.encode,
};

/** Block properties fixed before its transactions execute, except its number. */
export type UnnumberedInfo = Omit<BlockInfo, "number">;

const info = members<Omit<UnnumberedInfo, "gasPrices">>("header", {
  timestamp: field("timestamp", integer()),
  sequencerAddress: optionalField("sequencer_address", felt, 0n),
  l1DaMode: field("l1_da_mode", daMode),
  protocolVersion: optionalField("starknet_version", protocolVersion, ""),
});

/**
 * Decodes the header members that accepted and unaccepted blocks share.
 *
 * @throws {DecodeError} naming the first invalid place
 */
export function readInfo(value: unknown, path: string): UnnumberedInfo {
  if (!isJsonObject(value)) return mismatch(path, "block", value);
  return { ...info.decode(value, path), gasPrices: readPrices(value, path) };
}

function readPrices(value: Readonly<Record<string, unknown>>, path: string): GasPrices {
  const priceOf = (name: string) => price.decode(value[name], memberPath(path, name));
  return {
    l1Gas: priceOf("l1_gas_price"),
    l1DataGas: priceOf("l1_data_gas_price"),
    l2Gas: value["l2_gas_price"] === undefined ? NO_PRICE : priceOf("l2_gas_price"),
  };
}

/**
 * Encodes what {@link readInfo} decodes. The L2 gas price is included from 0.13.4 on, and earlier if it
 * differs from the default: followers report it.
 */
export function writeInfo(header: UnnumberedInfo): JsonObject {
  const { l1Gas, l1DataGas, l2Gas } = header.gasPrices;
  const hasL2Price =
    compareProtocolVersions(header.protocolVersion, "0.13.4") >= 0 ||
    l2Gas.wei !== NO_PRICE.wei ||
    l2Gas.fri !== NO_PRICE.fri;
  return {
    l1_gas_price: price.encode(l1Gas),
    l1_data_gas_price: price.encode(l1DataGas),
    l2_gas_price: hasL2Price ? price.encode(l2Gas) : undefined,
    ...(info.encode(header) as JsonObject),
  };
}

/** Encodes what {@link readInfo} decodes, with all members: readers of pre-confirmed blocks require them. */
export function writeWholeInfo(header: UnnumberedInfo): JsonObject {
  return {
    ...writeInfo(header),
    l2_gas_price: price.encode(header.gasPrices.l2Gas),
    sequencer_address: hexFromFelt(header.sequencerAddress),
  };
}
