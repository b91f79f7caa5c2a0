/** A line with everything that a terminal would act on written as an escape. */
export function printable(line: string): string {
  return line.replace(
    /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu,
    (unit) => `\\u{${(unit.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
