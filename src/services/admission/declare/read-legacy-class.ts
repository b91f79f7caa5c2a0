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

/** A Cairo 0 class that somebody sent. */
export interface ReadLegacyClass {
  readonly kind: "read";
  /** Unpacked, as it is stored. */
  readonly contractClass: LegacyClass;
  /** What execution needs of it, with its hash. */
  readonly executable: LegacyExecutable;
}

/**
 * Unpacks, reads and hashes a Cairo 0 class that somebody sent. Sizes come first, then what this node
 * cannot execute although a network might. At the limits this takes up to a second of processor time,
 * nearly all of it for the hash.
 *
 * @param pause - called every ten milliseconds or so while lists are hashed, and between the other
 *   steps, which take less than half a second each; may throw to end the work, and must not hash
 * @returns what is wrong with it, when something is
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
    const reason = `contract_class is no Cairo 0 class: ${error.message}`;
    return { kind: "rejected", code: "COMPILATION_FAILED", reason };
  }
}
