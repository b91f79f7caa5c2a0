import type { InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import { snapshotOf, variantsOf } from "../shared/types.ts";

/** Variants of an enum type, and their types as parts of the enum or of its snapshot. */
export function variantTypes(
  context: SpecializationContext,
  type: number,
  isSnapshot: boolean,
): { readonly variants: readonly number[]; readonly outputs: readonly number[] } {
  const variants = variantsOf(context.typeOf(type));
  const outputs = isSnapshot ? variants.map((variant) => snapshotOf(context, variant)) : variants;
  return { variants, outputs };
}

/** Cells between the selector and the value of each variant; the value ends where the enum ends. */
export function paddings(
  { info }: InvocationBuilder,
  variants: readonly number[],
): readonly number[] {
  const sizes = variants.map((variant) => info.sizeOf(variant));
  // Not `Math.max(...sizes)`: the number of variants of a program is unbounded.
  const largest = sizes.reduce((max, size) => Math.max(max, size), 0);
  return sizes.map((size) => largest - size);
}
