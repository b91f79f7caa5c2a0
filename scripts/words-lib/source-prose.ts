import { blanks, calleeOf, codeOf, propertyOf } from "./code-view.ts";
import { maskInlineCode, type Prose } from "./prose.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** Functions whose first argument names a test: those of bun:test, and helpers such as `sharedTest`. */
const TEST_FUNCTION =
  /^(?:(?:test|describe)(?:[A-Z]\w*)?|it|[a-z]\w*Test)(?:\.(?:each|only|skip|todo|if|skipIf|todoIf|failing|concurrent|serial))*$/;

/** Properties that hold a text for help or for a generated page. */
const HELP_PROPERTIES: ReadonlySet<string> = new Set([
  ...["summary", "description", "help", "defaultText", "meaning"],
]);

/** Comments, names of tests and help texts of a TypeScript source. */
export function sourceProse(source: string): readonly Prose[] {
  const tokens = tokensOf(source);
  const code = codeOf(source, tokens);
  const texts = tokens.filter(
    ({ kind, literal }) => kind !== "comment" && kind !== "regexp" && isForReaders(code, literal),
  );
  return [
    ...commentProse(source, tokens),
    ...texts.map(({ kind, start, end }) => {
      const quote = kind === "string" ? 1 : 0;
      const text = maskInlineCode(source.slice(start + quote, end - quote));
      return { start: start + quote, text };
    }),
  ];
}

function isForReaders(code: string, literal: number): boolean {
  const callee = calleeOf(code, literal);
  if (callee !== undefined) return TEST_FUNCTION.test(callee);
  const property = propertyOf(code, literal);
  return property !== undefined && HELP_PROPERTIES.has(property);
}

/** Prose of comments; line comments below each other are one text. */
function commentProse(source: string, tokens: readonly Token[]): readonly Prose[] {
  const prose: { start: number; end: number; text: string }[] = [];
  for (const { kind, start, end } of tokens) {
    if (kind !== "comment") continue;
    const text = commentText(source.slice(start, end));
    const last = prose.at(-1);
    const between = last === undefined ? "" : source.slice(last.end, start);
    if (last !== undefined && source[start + 1] === "/" && /^\n[ \t]*$/.test(between)) {
      last.text += between + text;
      last.end = end;
    } else prose.push({ start, end, text });
  }
  return prose.map(({ start, text }) => ({ start, text: maskInlineCode(text) }));
}

/** A comment without its delimiters and the asterisks of its lines; positions stay. */
function commentText(comment: string): string {
  if (comment.startsWith("//")) return comment.replace(/^\/+/, blanks);
  return comment.replace(/^\/\*+|\*+\/$|^[ \t]*\*(?!\/)/gm, blanks);
}
