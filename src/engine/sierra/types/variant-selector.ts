/**
 * The first cell of an enum's value: of up to two variants the index. Of more it is the distance that
 * a jump into a table of jumps of two cells each goes, which has the last variant first.
 */
export function variantSelector(variantCount: number, index: number): number {
  return variantCount <= 2 ? index : 2 * (variantCount - index) - 1;
}
