import { typeArgument } from "../libfunc/arguments.ts";
import type { LibfuncFamily, SpecializationContext } from "../libfunc/specialization.ts";
import { constant } from "./shared/constant.ts";
import { reinterpretationAround } from "./shared/identity.ts";
import { zeroTest } from "./shared/is-zero.ts";
import { boxOf, snapshotOf, wrapped } from "./shared/types.ts";

/** Libfuncs of optional boxes: 0 represents an absent one, because no pointer is 0. */
export const NULLABLE_LIBFUNCS: LibfuncFamily = {
  match_nullable: (context, args) => {
    const type = typeArgument(args);
    return zeroTest(nullableOf(context, type), boxOf(context, type));
  },
  null: (context, args) => constant(nullableOf(context, typeArgument(args)), 0n),
  nullable_forward_snapshot: reinterpretationAround(
    (context, type) => snapshotOf(context, nullableOf(context, type)),
    (context, type) => nullableOf(context, snapshotOf(context, type)),
  ),
  nullable_from_box: reinterpretationAround(boxOf, nullableOf),
};

function nullableOf(context: SpecializationContext, type: number): number {
  return wrapped(context, "Nullable", type);
}
