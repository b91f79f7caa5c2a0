import { type JsonObject, type JsonValue, object } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { GatewayContractAddresses } from "../types.ts";
import { l1Address, l1AddressText } from "./eth-address.ts";
import { address } from "./numbers.ts";

const addresses = object(
  { Starknet: l1Address },
  { eth_l2_token_address: address, strk_l2_token_address: address },
);

/**
 * Decodes the response of get_contract_addresses.
 *
 * @throws {DecodeError} naming the first invalid place
 */
export function readContractAddresses(value: JsonValue): GatewayContractAddresses {
  const read = addresses.decode(value, "");
  return {
    starknet: read.Starknet,
    parentFeeToken: read.eth_l2_token_address,
    nativeFeeToken: read.strk_l2_token_address,
  };
}

/**
 * Encodes the response of get_contract_addresses.
 *
 * @param verifier - L1 contract that verifies proofs; `null` if none is configured
 */
export function writeContractAddresses(
  { starknet, parentFeeToken, nativeFeeToken }: GatewayContractAddresses,
  verifier: bigint | null,
): JsonObject {
  return {
    Starknet: l1AddressText(starknet),
    GpsStatementVerifier: verifier === null ? undefined : l1AddressText(verifier),
    eth_l2_token_address: parentFeeToken === undefined ? undefined : hexFromFelt(parentFeeToken),
    strk_l2_token_address: nativeFeeToken === undefined ? undefined : hexFromFelt(nativeFeeToken),
  };
}
