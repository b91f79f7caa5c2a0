/**
 * Value of an enum's first cell. With up to two variants it is the index. With more it is the distance to
 * jump into a jump table of two cells per entry, which has the last variant first.
 */
export function variantSelector(variantCount: number, index: number): number {
  return variantCount <= 2 ? index : 2 * (variantCount - index) - 1;
}
