import { type Pattern, PATTERNS } from "./patterns.ts";
import type { Prose } from "./prose.ts";

/** A pattern that occurs in a file. */
export interface Hit {
  /** Line of its first word, from 1. */
  readonly line: number;
  /** The words as the file spells them, on one line. */
  readonly words: string;
  readonly pattern: Pattern;
}

/** Finds the patterns in the prose of a file, by line. Of overlapping patterns the first one counts. */
export function hitsIn(file: string, prose: readonly Prose[]): readonly Hit[] {
  const hits: Hit[] = [];
  for (const { start, text } of prose) {
    for (const match of text.matchAll(ANY_PATTERN)) {
      const index = match.slice(1).findIndex((group) => group !== undefined);
      const pattern = BY_LENGTH[index];
      if (pattern === undefined) continue;
      const line = lineAt(file, start + match.index);
      hits.push({ line, words: match[0].replace(/\s+/g, " "), pattern });
    }
  }
  return hits.sort((a, b) => a.line - b.line);
}

function lineAt(file: string, position: number): number {
  let line = 1;
  for (let at = file.indexOf("\n"); at !== -1 && at < position; at = file.indexOf("\n", at + 1)) {
    line++;
  }
  return line;
}

/** Of patterns with the same first word the longest one is tried first. */
const BY_LENGTH: readonly Pattern[] = [...PATTERNS].sort(
  (a, b) => b.phrase.split(" ").length - a.phrase.split(" ").length,
);

/** Any pattern as whole words; its group is the pattern's index in {@link BY_LENGTH}. */
const ANY_PATTERN = new RegExp(
  `(?<![\\w-])(?:${BY_LENGTH.map(({ phrase }) => `(${expression(phrase)})`).join("|")})(?![\\w-])`,
  "gi",
);

/** The source of a regular expression for the words of a phrase. */
function expression(phrase: string): string {
  return phrase
    .split(" ")
    .map((word) =>
      word === "..." ? "[\\w'-]+(?:\\s+[\\w'-]+){0,3}?" : `(?:${word.replaceAll("/", "|")})`,
    )
    .join("\\s+");
}
