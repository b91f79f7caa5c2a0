import { noArguments } from "../../libfunc/arguments.ts";
import type { LibfuncFamily, Specialize } from "../../libfunc/specialization.ts";
import { cellEqualityOf } from "../shared/cell-equality.ts";
import { constantOf } from "../shared/constant.ts";
import { reinterpretationOf } from "../shared/identity.ts";
import { wideProduct } from "./deferred-operation.ts";
import { overflowingSub } from "./overflowing.ts";
import { buildSignedOverflowing, signedOverflowingTables, signedSignature } from "./signed.ts";
import { tryFromFelt252 } from "./try-from-felt252.ts";

/** Libfuncs of i8, i16, i32 and i64. */
export const SINT_LIBFUNCS: LibfuncFamily = {
  ...smallSintLibfuncs(8n, "i16"),
  ...smallSintLibfuncs(16n, "i32"),
  ...smallSintLibfuncs(32n, "i64"),
  ...smallSintLibfuncs(64n, "i128"),
};

/** Libfuncs of i128. */
export const I128_LIBFUNCS: LibfuncFamily = sintLibfuncs(128n);

/** @param wide - type of products */
function smallSintLibfuncs(bits: bigint, wide: string): LibfuncFamily {
  const type = `i${bits}`;
  return { ...sintLibfuncs(bits), [`${type}_wide_mul`]: wideProduct(type, wide) };
}

function sintLibfuncs(bits: bigint): LibfuncFamily {
  const type = `i${bits}`;
  const half = 2n ** (bits - 1n);
  const range = { lower: -half, upper: half };
  return {
    [`${type}_const`]: constantOf(type, range),
    [`${type}_eq`]: cellEqualityOf(type),
    [`${type}_to_felt252`]: reinterpretationOf(type, "felt252"),
    [`${type}_try_from_felt252`]: tryFromFelt252(type, range),
    [`${type}_overflowing_add_impl`]: overflowing(type, half, "sum"),
    [`${type}_overflowing_sub_impl`]: overflowing(type, half, "difference"),
    [`${type}_diff`]: overflowingSub(type, `u${bits}`, 2n * half),
  };
}

function overflowing(genericId: string, half: bigint, operation: "sum" | "difference"): Specialize {
  return (context, args) => {
    noArguments(args);
    return {
      signature: signedSignature(context, context.find(genericId)),
      ...signedOverflowingTables(half),
      build: (invocation) => buildSignedOverflowing(invocation, half, operation),
    };
  };
}
