/**
 * Whether a protocol version is `floor` or newer. Versions are dotted numbers of any length, missing
 * parts count as 0, and the empty text of blocks before 0.9.1 is older than everything.
 *
 * @param version - for example `0.13.1.1`
 * @param floor - for example `0.13.2`
 */
export function isProtocolAtLeast(version: string, floor: string): boolean {
  const left = version.split(".").map(Number);
  const right = floor.split(".").map(Number);
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
