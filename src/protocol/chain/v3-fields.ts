import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import { poseidonMany } from "#protocol/crypto/index.ts";
import type { ResourceBound, ResourceBounds, V3Fields } from "./transaction.ts";

const L1_GAS = feltFromShortString("L1_GAS");
const L2_GAS = feltFromShortString("L2_GAS");
const L1_DATA = feltFromShortString("L1_DATA");

/**
 * Leading fields of every version 3 hash.
 *
 * Source: SNIP-8.
 */
export function v3Fields(
  prefix: Felt,
  version: Felt,
  sender: Felt,
  transaction: V3Fields & { readonly nonce: Felt },
  chainId: Felt,
): Felt[] {
  const { nonceDataAvailabilityMode, feeDataAvailabilityMode } = transaction;
  return [
    prefix,
    version,
    sender,
    tipAndBoundsHash(transaction.tip, transaction.resourceBounds),
    listHash(transaction.paymasterData),
    chainId,
    transaction.nonce,
    (BigInt(nonceDataAvailabilityMode) << 32n) | BigInt(feeDataAvailabilityMode),
  ];
}

function tipAndBoundsHash(tip: bigint, bounds: ResourceBounds): Felt {
  const fields = [tip, packBound(L1_GAS, bounds.l1Gas), packBound(L2_GAS, bounds.l2Gas)];
  if (bounds.l1DataGas !== null) fields.push(packBound(L1_DATA, bounds.l1DataGas));
  return poseidonMany(fields);
}

/** Packs the name into the top 60 bits, then 64 bits of amount and 128 bits of price (SNIP-8). */
function packBound(name: Felt, bound: ResourceBound): Felt {
  return (name << 192n) | (bound.maxAmount << 128n) | bound.maxPricePerUnit;
}

let emptyListHash: Felt | undefined;

/** Hash of a list; cached for the empty list, by far the most common. */
export function listHash(values: readonly Felt[]): Felt {
  if (values.length > 0) return poseidonMany(values);
  emptyListHash ??= poseidonMany([]);
  return emptyListHash;
}
