/** What a run of `scripts/words` does. */
export type WordsArguments =
  | { readonly kind: "check" | "shrink" | "adopt" }
  | { readonly kind: "list"; readonly paths: readonly string[] };

/** Text for wrong arguments. */
export const USAGE = "usage: scripts/words [--shrink | --adopt | PATH...]";

/** Parses the words after `scripts/words`. @returns `undefined` when an option is unknown or not alone */
export function parseWordsArguments(words: readonly string[]): WordsArguments | undefined {
  const [first, ...rest] = words;
  if (first === undefined) return { kind: "check" };
  if ((first === "--shrink" || first === "--adopt") && rest.length === 0) {
    return { kind: first === "--shrink" ? "shrink" : "adopt" };
  }
  return words.some((word) => word.startsWith("-")) ? undefined : { kind: "list", paths: words };
}
