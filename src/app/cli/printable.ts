/** Escapes everything in a line that a terminal would interpret. */
export function printable(line: string): string {
  return line.replace(
    /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu,
    (unit) => `\\u{${(unit.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
