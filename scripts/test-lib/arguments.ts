/** Parts of a run, in the order in which they run. */
export const PARTS = ["static", "unit", "spec", "e2e"] as const;

/** One of {@link PARTS}. */
export type Part = (typeof PARTS)[number];

/** Requested run. */
export type TestArguments =
  | {
      readonly kind: "parts";
      /** Parts to run, never empty. */
      readonly parts: readonly Part[];
      /**
       * `quick`: nothing exhaustive. `full`: all exhaustive checks as well. `ci`: all of them or one
       * tenth, by what changed since the last full run.
       */
      readonly mode: "quick" | "full" | "ci";
    }
  | {
      readonly kind: "changed";
      /** Commit to compare the work tree with. */
      readonly base: string;
    };

/** Text for wrong arguments. */
export const USAGE = `usage: scripts/test [${PARTS.join("|")}]... | --full | --ci | --changed [BASE]`;

const isPart = (word: string): word is Part => (PARTS as readonly string[]).includes(word);

/** Parses the words after `scripts/test`. @returns `undefined` when they make no sense */
export function parseTestArguments(words: readonly string[]): TestArguments | undefined {
  const [first, ...rest] = words;
  if (first === "--changed") {
    const [base = "HEAD", ...more] = rest;
    return more.length > 0 || base.startsWith("-") ? undefined : { kind: "changed", base };
  }
  if (first === "--full" || first === "--ci") {
    if (rest.length > 0) return undefined;
    return { kind: "parts", parts: PARTS, mode: first === "--full" ? "full" : "ci" };
  }
  const parts = words.filter(isPart);
  if (parts.length < words.length) return undefined;
  return { kind: "parts", parts: parts.length > 0 ? parts : PARTS, mode: "quick" };
}
