import type { Token } from "./tokens.ts";

/**
 * A source of the same length that keeps code only: comments, regular expressions and the insides of
 * strings and templates are blanks. Line breaks stay.
 */
export function codeOf(source: string, tokens: readonly Token[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { kind, start, end } of tokens) {
    const quotes = kind === "string" && end - start >= 2 ? 1 : 0;
    pieces.push(
      source.slice(at, start + quotes),
      blanks(source.slice(start + quotes, end - quotes)),
    );
    at = end - quotes;
  }
  return pieces.join("") + source.slice(at);
}

/** Blanks in place of every character but line breaks, so that positions and lines stay. */
export function blanks(text: string): string {
  return text.includes("\n") ? text.replace(/[^\n]/g, " ") : " ".repeat(text.length);
}

/**
 * Name of the function that a literal is the first argument of: `test` for `test("…"`, and `test.each` for
 * `test.each([…])("…"`. `undefined` for any other literal.
 *
 * @param code - the source as {@link codeOf} returns it
 */
export function calleeOf(code: string, literal: number): string | undefined {
  let at = skipBlanks(code, literal);
  if (code[at] !== "(") return undefined;
  at = skipBlanks(code, at);
  if (code[at] === ")") at = skipBlanks(code, opening(code, at, "(", ")"));
  if (code[at] === ">") at = skipBlanks(code, opening(code, at, "<", ">"));
  return /[\w$.]+$/.exec(code.slice(Math.max(0, at - 60), at + 1))?.[0];
}

/** Name of the property that a literal is (part of) the value of: `a` in `{ a: isB ? "c" : "d" }`. */
export function propertyOf(code: string, literal: number): string | undefined {
  const before = code.slice(Math.max(0, literal - 400), literal);
  return /(?:^|[{,\s])(\w+):[^,;{}()]*$/.exec(before)?.[1];
}

/** Position of the last character before `from` that is no blank; -1 if all are blanks. */
function skipBlanks(code: string, from: number): number {
  let at = from - 1;
  while (at >= 0 && /\s/.test(code[at] ?? "")) at--;
  return at;
}

/** Position of the bracket that opens what is closed at `at`. The `>` of an arrow closes nothing. */
function opening(code: string, at: number, open: string, close: string): number {
  let depth = 0;
  for (let index = at; index >= 0; index--) {
    if (code[index] === close && !(close === ">" && code[index - 1] === "=")) depth++;
    else if (code[index] === open && --depth === 0) return index;
  }
  return -1;
}
