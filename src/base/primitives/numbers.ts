/**
 * Compares lists number by number, as versions are compared; missing numbers count as 0.
 *
 * @returns below 0, 0 or above 0, as for `Array.prototype.sort`
 */
export function compareNumbers(left: readonly number[], right: readonly number[]): number {
  const length = Math.max(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
