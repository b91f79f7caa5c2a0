import { felt, object, parseJson, stringifyJson, textOf } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Chain that a store belongs to. Written once, by the first sequencer that publishes to the store. */
export interface ChainRecord {
  readonly chainId: string;
  /** Public key of the block signer. */
  readonly publicKey: Felt;
  readonly nativeFeeToken: Felt;
  readonly parentFeeToken: Felt;
}

/** Maximum size of a record in bytes. */
export const MAX_CHAIN_BYTES = 8_192;

const record = object({
  chain_id: textOf({ pattern: /^[\x20-\x7e]{1,31}$/, describe: "chain id" }),
  public_key: felt,
  native_fee_token: felt,
  parent_fee_token: felt,
});

/** Encodes a record as JSON. */
export function encodeChain(chain: ChainRecord): Uint8Array<ArrayBuffer> {
  const members = {
    chain_id: chain.chainId,
    public_key: chain.publicKey,
    native_fee_token: chain.nativeFeeToken,
    parent_fee_token: chain.parentFeeToken,
  };
  return new TextEncoder().encode(stringifyJson(record.encode(members)));
}

/**
 * Decodes a record.
 *
 * @throws {DecodeError} when the bytes are not a chain record
 */
export function decodeChain(bytes: Uint8Array): ChainRecord {
  const value = parseJson(new TextDecoder().decode(bytes), { maxDepth: 2 });
  const { chain_id, public_key, native_fee_token, parent_fee_token } = record.decode(
    value,
    "chain",
  );
  return {
    chainId: chain_id,
    publicKey: public_key,
    nativeFeeToken: native_fee_token,
    parentFeeToken: parent_fee_token,
  };
}
