/** Parts of a version: `0.7.1` is `[0, 7, 1]`. */
export type VersionNumber = readonly [major: number, minor: number, patch: number];

/** Part of a version that is raised. */
export type Step = "major" | "minor" | "patch";

/** Parses `X.Y.Z` without leading zeros; `undefined` for any other text. */
export function parseNumber(text: string): VersionNumber | undefined {
  const part = "(0|[1-9]\\d{0,8})";
  const found = new RegExp(`^${part}\\.${part}\\.${part}$`).exec(text);
  return found === null ? undefined : [Number(found[1]), Number(found[2]), Number(found[3])];
}

/** Whether `left` is a higher version than `right`. */
export function isHigher(left: VersionNumber, right: VersionNumber): boolean {
  const at = left.findIndex((part, i) => part !== right[i]);
  return at !== -1 && (left[at] ?? 0) > (right[at] ?? 0);
}

/** Raises one part, and resets the parts after it. */
export function raised([major, minor, patch]: VersionNumber, step: Step): VersionNumber {
  if (step === "major") return [major + 1, 0, 0];
  return step === "minor" ? [major, minor + 1, 0] : [major, minor, patch + 1];
}
