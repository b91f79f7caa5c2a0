import { FIELD_PRIME } from "./felt.ts";

/** Type whose values are one felt. */
export interface Scalar {
  readonly kind: "felt" | "bool" | "int" | "bytes31" | "address" | "class";
  readonly min: bigint;
  readonly max: bigint;
}

/** Integer of several felts, the least significant first. */
export interface Wide {
  readonly limbs: number;
  readonly bitsPerLimb: number;
}

const FELT: Scalar = { kind: "felt", min: 0n, max: FIELD_PRIME - 1n };
const BYTES31: Scalar = { kind: "bytes31", min: 0n, max: (1n << 248n) - 1n };
const BOOL: Scalar = { kind: "bool", min: 0n, max: 1n };
const ADDRESS: Scalar = { kind: "address", min: 0n, max: (1n << 251n) - 1n };
const CLASS: Scalar = { kind: "class", min: 0n, max: (1n << 251n) - 1n };
const ETH_ADDRESS: Scalar = { kind: "felt", min: 0n, max: (1n << 160n) - 1n };

/** Source: `Serde` implementations of Cairo's `corelib`. */
const SCALARS: ReadonlyMap<string, Scalar> = new Map([
  ["felt", FELT],
  ["core::felt252", FELT],
  ["core::felt", FELT],
  ["core::bool", BOOL],
  ["core::bytes_31::bytes31", BYTES31],
  ["core::starknet::contract_address::ContractAddress", ADDRESS],
  ["core::starknet::class_hash::ClassHash", CLASS],
  ["core::starknet::storage_access::StorageAddress", { ...ADDRESS, kind: "felt" }],
  ["core::starknet::storage_access::StorageBaseAddress", { ...ADDRESS, kind: "felt" }],
  ["core::starknet::eth_address::EthAddress", ETH_ADDRESS],
]);

/** Returns the scalar of a type's base name; `undefined` for other types. */
export function scalarOf(base: string): Scalar | undefined {
  const known = SCALARS.get(base);
  if (known !== undefined) return known;
  // The bounds are generic arguments; they are checked by the contract.
  if (base === "core::internal::bounded_int::BoundedInt") return FELT;
  const [, sign, digits] = /^core::integer::([ui])(8|16|32|64|96|128)$/.exec(base) ?? [];
  if (digits === undefined) return undefined;
  const bits = BigInt(digits);
  if (sign === "u") return { kind: "int", min: 0n, max: (1n << bits) - 1n };
  return { kind: "int", min: -(1n << (bits - 1n)), max: (1n << (bits - 1n)) - 1n };
}

/** Base names of generic arrays. */
export const ARRAYS: ReadonlySet<string> = new Set(["core::array::Array", "core::array::Span"]);

/** Base names of wrappers that are serialised like their argument. */
export const WRAPPERS: ReadonlySet<string> = new Set(["core::zeroable::NonZero", "core::box::Box"]);

/** Base name of a wrapper that excludes zero. */
export const NON_ZERO = "core::zeroable::NonZero";

/** Base name of a text of any length. */
export const BYTE_ARRAY = "core::byte_array::ByteArray";

/** Integers of several felts by base name; `Uint256` is that of Cairo 0, which ABIs declare as a structure. */
export const WIDE: ReadonlyMap<string, Wide> = new Map([
  ["core::integer::u256", { limbs: 2, bitsPerLimb: 128 }],
  ["core::integer::u512", { limbs: 4, bitsPerLimb: 128 }],
  ["core::circuit::u384", { limbs: 4, bitsPerLimb: 96 }],
  ["Uint256", { limbs: 2, bitsPerLimb: 128 }],
]);
