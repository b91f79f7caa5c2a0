import { blanks } from "./code-view.ts";

/** Text for human readers within a file. */
export interface Prose {
  /** Position of the text in its file. */
  readonly start: number;
  /** The text; code within it is replaced by signs of the same length. */
  readonly text: string;
}

/** Replaces code within prose: words on both sides of it do not form a phrase. */
const CODE_SIGN = "\u2588";

/** Replaces code between backticks and `{@link}` references; positions and lines stay. */
export function maskInlineCode(text: string): string {
  return text.replace(/(`+)(?!`).*?\1|\{@link [^}\n]*\}/g, (code) =>
    code.replace(/[^\n]/g, CODE_SIGN),
  );
}

/** Prose of a Markdown page: without fenced code, inline code, comments and the targets of links. */
export function markdownProse(page: string): readonly Prose[] {
  const text = page
    .replace(/^([ \t]*)(```+|~~~+)[^\n]*\n[\s\S]*?^[ \t]*\2[^\n]*$/gm, blanks)
    .replace(/<!--[\s\S]*?-->/g, blanks)
    .replace(/\]\([^)\n]*\)/g, (target) => `]${blanks(target.slice(1))}`);
  return [{ start: 0, text: maskInlineCode(text) }];
}

/** Prose of a changelog's section `Unreleased`; sections of releases are history. */
export function changelogProse(page: string): readonly Prose[] {
  const start = /^## Unreleased\b/m.exec(page)?.index;
  if (start === undefined) return [];
  const next = page.indexOf("\n## ", start);
  const section = page.slice(start, next === -1 ? undefined : next);
  return markdownProse(section).map((prose) => ({ ...prose, start: prose.start + start }));
}
