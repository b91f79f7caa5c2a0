import type { LibfuncFamily } from "../../libfunc/specialization.ts";
import { add, mul, sub } from "./arithmetic.ts";
import { constrain } from "./constrain.ts";
import { divRem } from "./div-rem.ts";
import { guaranteeVerify } from "./guarantee.ts";
import { trim } from "./trim.ts";
import { isZero, wrapNonZero } from "./zero.ts";

/** Libfuncs of integers whose types declare their bounds. */
export const BOUNDED_INT_LIBFUNCS: LibfuncFamily = {
  bounded_int_add: add,
  bounded_int_sub: sub,
  bounded_int_mul: mul,
  bounded_int_div_rem: divRem,
  bounded_int_constrain: constrain,
  bounded_int_is_zero: isZero,
  bounded_int_trim_min: trim("min"),
  bounded_int_trim_max: trim("max"),
  bounded_int_wrap_non_zero: wrapNonZero,
  bounded_int_guarantee_verify: guaranteeVerify,
};
