import { parseNumber, type Step, type VersionNumber } from "./number.ts";

/** What a run of `scripts/version` does. */
export type VersionArguments =
  | { readonly kind: "show" | "check" }
  | { readonly kind: "set"; readonly number: VersionNumber }
  | { readonly kind: "raise"; readonly step: Step };

/** Text for wrong arguments. */
export const USAGE = "usage: scripts/version [X.Y.Z | --major | --minor | --patch | --check]";

/** Parses the words after `scripts/version`. @returns `undefined` when they are wrong */
export function parseVersionArguments(words: readonly string[]): VersionArguments | undefined {
  const [word, ...rest] = words;
  if (word === undefined) return { kind: "show" };
  if (rest.length > 0) return undefined;
  if (word === "--check") return { kind: "check" };
  if (word === "--major" || word === "--minor" || word === "--patch") {
    return { kind: "raise", step: word.slice(2) as Step };
  }
  const number = parseNumber(word);
  return number === undefined ? undefined : { kind: "set", number };
}
