import type { Program } from "../program/program.ts";
import { CompileError } from "../compile-error.ts";
import { type SierraVersion, supports } from "./sierra-version.ts";

/** Libfuncs that this compiler supports but networks reject, because they are not audited. */
const NOT_AUDITED: ReadonlySet<string> = new Set([
  "felt252_add_const",
  "felt252_sub_const",
  "felt252_mul_const",
  "felt252_div_const",
  "bounded_int_guarantee_verify",
  "u128_to_u32_guarantees",
  "blake2s_compress_guarantees",
  "blake2s_finalize_guarantees",
  "get_available_gas",
  "get_unspent_gas",
  "m31_add",
  "m31_sub",
  "m31_mul",
  "m31_div",
  "qm31_add",
  "qm31_sub",
  "qm31_mul",
  "qm31_div",
  "qm31_const",
  "qm31_is_zero",
  "qm31_pack",
  "qm31_unpack",
  "qm31_from_m31",
]);

const V1_8: SierraVersion = [1, 8, 0];
const V1_9: SierraVersion = [1, 9, 0];

/** Sierra versions that introduced the libfuncs newer than the audited list. */
const SINCE: ReadonlyMap<string, SierraVersion> = new Map([
  ["blake2s_compress", V1_8],
  ["blake2s_finalize", V1_8],
  ["ec_neg_nz", V1_8],
  ["enum_boxed_match", V1_8],
  ["struct_boxed_deconstruct", V1_8],
  ["local_into_box", V1_8],
  ["gas_reserve_create", V1_8],
  ["gas_reserve_utilize", V1_8],
  ["get_execution_info_v3_syscall", V1_8],
  ["squashed_felt252_dict_entries", V1_8],
  ["sha512_process_block_syscall", V1_9],
  ["sha512_state_handle_init", V1_9],
  ["sha512_state_handle_digest", V1_9],
]);

/**
 * Checks that a class uses only audited libfuncs, and none newer than its Sierra version.
 *
 * @throws {CompileError} SIERRA_LIBFUNC_NOT_ALLOWED for the first violation
 */
export function checkAllowed(
  program: Program,
  version: SierraVersion,
  isKnown: (genericId: string) => boolean,
): void {
  for (const { genericId } of program.libfuncs) {
    if (!isKnown(genericId) || NOT_AUDITED.has(genericId)) {
      // The reference compiler's wording, which networks return.
      refuse(
        genericId,
        `Libfunc ${shown(genericId)} is not allowed in the libfuncs list 'audited'.`,
      );
    }
    const since = SINCE.get(genericId);
    if (since !== undefined && !supports(version, since)) {
      refuse(
        genericId,
        `libfunc ${genericId} needs Sierra ${since.join(".")}; the class is of ${version.join(".")}`,
      );
    }
  }
}

/** Returns a valid name as it is, and anything else in quoted form. */
function shown(genericId: string): string {
  return /^\w+$/.test(genericId) ? genericId : JSON.stringify(genericId);
}

function refuse(libfunc: string, message: string): never {
  throw new CompileError("SIERRA_LIBFUNC_NOT_ALLOWED", message, { libfunc });
}
