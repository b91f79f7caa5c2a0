import { DecodeError } from "#base/errors/index.ts";
import { unsupportedInLegacy } from "#engine/cairo/index.ts";
import {
  type LegacyClass,
  legacyClassHashOf,
  type LegacyExecutable,
  legacyExecutableOf,
  type PackedLegacyClass,
} from "#protocol/chain/index.ts";
import { CLASS_SIZE_LIMITS, type LegacyUnfit, unpackWithin } from "../compile/index.ts";

/** A decoded Cairo 0 class. */
export interface ReadLegacyClass {
  readonly kind: "read";
  /** Unpacked, in stored form. */
  readonly contractClass: LegacyClass;
  /** Executable form, class hash included. */
  readonly executable: LegacyExecutable;
}

/**
 * Unpacks, reads and hashes a Cairo 0 class. Checks sizes first, then features that this node cannot execute
 * although a network might. At the limits this takes up to a second of processor time, nearly all of it for
 * the hash.
 *
 * @param pause - called about every ten milliseconds while lists are hashed, and between the other steps,
 * which take less than half a second each; may throw to stop the work, and must not hash
 * @returns the class, or why it is refused
 */
export function readLegacyClass(
  packed: PackedLegacyClass,
  pause: () => void,
): ReadLegacyClass | ({ readonly kind: "rejected" } & LegacyUnfit) {
  try {
    const parsed = unpackWithin(packed, CLASS_SIZE_LIMITS);
    if ("code" in parsed) return { kind: "rejected", ...parsed };
    pause();
    const executable = legacyExecutableOf(parsed, 0n);
    const unsupported = unsupportedInLegacy(executable.program);
    if (unsupported !== undefined) {
      const reason = `this node cannot execute a part of contract_class: ${unsupported}`;
      return { kind: "rejected", code: "COMPILATION_FAILED", reason };
    }
    const classHash = legacyClassHashOf(executable, parsed, pause);
    return {
      kind: "read",
      contractClass: parsed.contractClass,
      executable: { ...executable, classHash },
    };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const reason = `contract_class is not a Cairo 0 class: ${error.message}`;
    return { kind: "rejected", code: "COMPILATION_FAILED", reason };
  }
}
