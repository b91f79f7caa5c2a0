import { starknetKeccak } from "#protocol/crypto/index.ts";

/**
 * Formats the id of a user type for generic arguments: hexadecimal with `0x`.
 *
 * @param id - number in the program
 */
export function userTypeIdFromNumber(id: bigint): string {
  return `0x${id.toString(16)}`;
}

/** Id of the user type with this name (`Tuple`, `core::integer::u256`): the name's `sn_keccak`. */
export function userTypeId(name: string): string {
  return userTypeIdFromNumber(starknetKeccak(name));
}
