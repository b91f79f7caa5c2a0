import { starknetKeccak } from "#protocol/crypto/index.ts";

/**
 * The id of a user type as generic arguments have it: the number in hexadecimal digits, `0x` before.
 *
 * @param id - the number that a program states
 */
export function userTypeIdFromNumber(id: bigint): string {
  return `0x${id.toString(16)}`;
}

/** The id of the user type of this name (`Tuple`, `core::integer::u256`): the name's `sn_keccak`. */
export function userTypeId(name: string): string {
  return userTypeIdFromNumber(starknetKeccak(name));
}
