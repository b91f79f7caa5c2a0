import { starknetKeccak } from "#protocol/crypto/index.ts";

/** Maximum length of a name that fits in a felt. */
const MAX_LENGTH = 31;

/** Names too long for a felt, which are encoded as their hashes. */
const LONG_NAMES = [
  "storage_address_from_base_and_offset",
  "contract_address_try_from_felt252",
  "storage_base_address_from_felt252",
  "storage_address_try_from_felt252",
  "secp256k1_get_point_from_x_syscall",
  "secp256r1_get_point_from_x_syscall",
  "circuit_failure_guarantee_verify",
  "u96_limbs_less_than_guarantee_verify",
  "u96_single_limb_less_than_guarantee_verify",
] as const;

let byHash: ReadonlyMap<bigint, string> | undefined;

/** Name of a generic type or libfunc, from its felt; `undefined` when the felt is not text. */
export function genericIdFromFelt(felt: bigint): string | undefined {
  byHash ??= new Map(LONG_NAMES.map((name) => [starknetKeccak(name), name]));
  const long = byHash.get(felt);
  if (long !== undefined) return long;
  const hex = felt.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
  if (bytes.length > MAX_LENGTH) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
