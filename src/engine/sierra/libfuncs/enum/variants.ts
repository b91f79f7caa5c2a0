import type { InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import { snapshotOf, variantsOf } from "../shared/types.ts";

/** Variants of an enum type, and what they are as parts of a snapshot. */
export function variantTypes(
  context: SpecializationContext,
  type: number,
  isSnapshot: boolean,
): { readonly variants: readonly number[]; readonly outputs: readonly number[] } {
  const variants = variantsOf(context.typeOf(type));
  const outputs = isSnapshot ? variants.map((variant) => snapshotOf(context, variant)) : variants;
  return { variants, outputs };
}

/** Per variant, how many cells lie between the selector and its value, which ends where the enum does. */
export function paddings(
  { info }: InvocationBuilder,
  variants: readonly number[],
): readonly number[] {
  const sizes = variants.map((variant) => info.sizeOf(variant));
  // Not as arguments of one call: a program has as many variants as it likes.
  const largest = sizes.reduce((max, size) => Math.max(max, size), 0);
  return sizes.map((size) => largest - size);
}
