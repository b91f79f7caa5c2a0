import type { LibfuncFamily } from "../../libfunc/specialization.ts";
import { invModN } from "./inv-mod-n.ts";
import { isZero } from "./is-zero.ts";
import { safeDivmod } from "./safe-divmod.ts";
import { squareRoot } from "./square-root.ts";
import { safeDivmodByU256 } from "./u512-safe-divmod.ts";

/** Libfuncs of 256-bit integers. */
export const U256_LIBFUNCS: LibfuncFamily = {
  u256_is_zero: isZero,
  u256_safe_divmod: safeDivmod,
  u256_sqrt: squareRoot,
  u256_guarantee_inv_mod_n: invModN,
};

/** Libfunc of 512-bit integers. */
export const U512_LIBFUNCS: LibfuncFamily = { u512_safe_divmod_by_u256: safeDivmodByU256 };
