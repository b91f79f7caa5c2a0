import type { LibfuncFamily } from "../../libfunc/specialization.ts";
import type { IntegerRange } from "../../types/concrete-type.ts";
import { cellEqualityOf } from "../shared/cell-equality.ts";
import { constantOf } from "../shared/constant.ts";
import { reinterpretationOf } from "../shared/identity.ts";
import { isZeroOf } from "../shared/is-zero.ts";
import { bitwise } from "./bitwise.ts";
import { wideProduct } from "./deferred-operation.ts";
import { safeDivmod } from "./div-rem.ts";
import { overflowingSub, smallOverflowingAdd } from "./overflowing.ts";
import { squareRoot } from "./square-root.ts";
import { tryFromFelt252 } from "./try-from-felt252.ts";

/** Libfuncs of u8, u16, u32 and u64. */
export const UINT_LIBFUNCS: LibfuncFamily = {
  ...uintLibfuncs("u8", 8n, "u8", "u16"),
  ...uintLibfuncs("u16", 16n, "u8", "u32"),
  ...uintLibfuncs("u32", 32n, "u16", "u64"),
  ...uintLibfuncs("u64", 64n, "u32", "u128"),
};

/**
 * @param root - type of square roots
 * @param wide - type of products
 */
function uintLibfuncs(type: string, bits: bigint, root: string, wide: string): LibfuncFamily {
  const limit = 2n ** bits;
  const range: IntegerRange = { lower: 0n, upper: limit };
  return {
    [`${type}_const`]: constantOf(type, range),
    [`${type}_eq`]: cellEqualityOf(type),
    [`${type}_is_zero`]: isZeroOf(type),
    [`${type}_to_felt252`]: reinterpretationOf(type, "felt252"),
    [`${type}_try_from_felt252`]: tryFromFelt252(type, range),
    [`${type}_overflowing_add`]: smallOverflowingAdd(type, limit),
    [`${type}_overflowing_sub`]: overflowingSub(type, type, limit),
    [`${type}_safe_divmod`]: safeDivmod(type, limit),
    [`${type}_sqrt`]: squareRoot(type, root),
    [`${type}_wide_mul`]: wideProduct(type, wide),
    [`${type}_bitwise`]: bitwise(type),
  };
}
