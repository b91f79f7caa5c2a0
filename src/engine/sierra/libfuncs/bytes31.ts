import type { LibfuncFamily } from "../libfunc/specialization.ts";
import { constantOf } from "./shared/constant.ts";
import { reinterpretationOf } from "./shared/identity.ts";
import { wideTryFromFelt252 } from "./shared/try-from-felt252.ts";

const BITS = 248n;

/** Libfuncs of 31-byte words. */
export const BYTES31_LIBFUNCS: LibfuncFamily = {
  bytes31_const: constantOf("bytes31", { lower: 0n, upper: 1n << BITS }),
  bytes31_to_felt252: reinterpretationOf("bytes31", "felt252"),
  bytes31_try_from_felt252: wideTryFromFelt252("bytes31", BITS),
};
