import type { LibfuncFamily } from "../../libfunc/specialization.ts";
import { bitwise } from "../integers/bitwise.ts";
import { safeDivmod } from "../integers/div-rem.ts";
import { overflowingSub } from "../integers/overflowing.ts";
import { squareRoot } from "../integers/square-root.ts";
import { cellEqualityOf } from "../shared/cell-equality.ts";
import { constantOf } from "../shared/constant.ts";
import { reinterpretationOf } from "../shared/identity.ts";
import { isZeroOf } from "../shared/is-zero.ts";
import { RANGE_CHECK_BOUND } from "../shared/under-limit.ts";
import { byteReverse } from "./byte-reverse.ts";
import { fromFelt252 } from "./from-felt252.ts";
import { guaranteeMul, mulGuaranteeVerify } from "./mul-guarantee.ts";
import { overflowingAdd } from "./overflowing-add.ts";
import { toU32Guarantees } from "./u32-guarantees.ts";

/** Libfuncs of u128, including `bitwise`. */
export const U128_LIBFUNCS: LibfuncFamily = {
  u128_const: constantOf("u128", { lower: 0n, upper: RANGE_CHECK_BOUND }),
  u128_eq: cellEqualityOf("u128"),
  u128_is_zero: isZeroOf("u128"),
  u128_to_felt252: reinterpretationOf("u128", "felt252"),
  u128s_from_felt252: fromFelt252,
  u128_overflowing_add: overflowingAdd,
  u128_overflowing_sub: overflowingSub("u128", "u128", RANGE_CHECK_BOUND),
  u128_safe_divmod: safeDivmod("u128", RANGE_CHECK_BOUND),
  u128_sqrt: squareRoot("u128", "u64"),
  u128_guarantee_mul: guaranteeMul,
  u128_mul_guarantee_verify: mulGuaranteeVerify,
  u128_byte_reverse: byteReverse,
  u128_to_u32_guarantees: toU32Guarantees,
  bitwise: bitwise("u128"),
};
