import { DecodeError } from "#base/errors/index.ts";
import {
  hashedLegacyExecutable,
  type LegacyClass,
  type LegacyExecutable,
} from "#protocol/chain/index.ts";

/**
 * What execution needs of a Cairo 0 class that somebody sent, with its hash.
 *
 * @returns what is wrong with it when it is none
 */
export function readLegacyClass(contractClass: LegacyClass): LegacyExecutable | string {
  try {
    return hashedLegacyExecutable(contractClass);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return `contract_class is no Cairo 0 class: ${error.message}`;
  }
}
