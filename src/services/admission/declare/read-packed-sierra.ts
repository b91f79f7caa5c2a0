import { DecodeError } from "#base/errors/index.ts";
import {
  type PackedSierraClass,
  type SierraClass,
  unpackSierraClass,
} from "#protocol/chain/index.ts";
import type { Refusal } from "../admission-rules.ts";
import { CLASS_SIZE_LIMITS, classUnfit } from "../compile/index.ts";

/** Maximum size of a program's text: whitespace counts here, but not in the class size limit. */
const MAX_TEXT_BYTES = 2 * CLASS_SIZE_LIMITS.maxObjectBytes;

/**
 * Unpacks a Sierra class within the size limits; nothing beyond them is unpacked. At the limits this takes up
 * to a third of a second.
 *
 * @returns the class, or why it is refused
 */
export function readPackedSierra(packed: PackedSierraClass): SierraClass | Refusal {
  try {
    const contractClass = unpackSierraClass(packed, MAX_TEXT_BYTES);
    if (contractClass === undefined) {
      const reason = `the Sierra program has more than ${MAX_TEXT_BYTES} bytes as JSON`;
      return { kind: "rejected", code: "CONTRACT_CLASS_SIZE_IS_TOO_LARGE", reason };
    }
    const unfit = classUnfit(contractClass);
    return unfit === undefined ? contractClass : { kind: "rejected", ...unfit };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const reason = `contract_class is not a Sierra class: ${error.message}`;
    return { kind: "rejected", code: "COMPILATION_FAILED", reason };
  }
}
