import { blanks, codeOf } from "../words-lib/code-view.ts";
import { tokensOf } from "../words-lib/tokens.ts";

/**
 * Blanks all parts of a TypeScript source that are not code (comments, texts, regular expressions), and
 * code without an effect on behaviour (imports, types, log statements). Positions stay the same.
 */
export function maskSource(source: string): string {
  return blankLog(blankTypes(codeOf(source, tokensOf(source))));
}

/** Blanks imports, re-exports, interfaces and types. */
function blankTypes(masked: string): string {
  return masked
    .replace(/^(?:import|export (?:type )?\{|export \*)[^;]*;/gm, blanks)
    .replace(/^(?:export )?interface [^\n]*\{\n(?:[^}\n][^\n]*\n|\n)*\}/gm, blanks)
    .replace(/^(?:export )?type (?:[^;{]|\{[^}]*\})*;/gm, blanks);
}

/** Blanks log statements: their texts and numbers are only for people. */
function blankLog(masked: string): string {
  let result = masked;
  for (const match of masked.matchAll(/[\w#.?]*\blog\??\.(?:trace|debug|info|warn|error)\(/g)) {
    const end = matching(masked, match.index + match[0].length - 1);
    result =
      result.slice(0, match.index) + blanks(result.slice(match.index, end)) + result.slice(end);
  }
  return result;
}

const PAIRS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** The position after the bracket that closes the one at `open`. */
export function matching(masked: string, open: number): number {
  const stack: string[] = [];
  for (let i = open; i < masked.length; i++) {
    const char = masked[i] ?? "";
    const close = PAIRS[char];
    if (close !== undefined) stack.push(close);
    else if (char === stack.at(-1)) {
      stack.pop();
      if (stack.length === 0) return i + 1;
    }
  }
  return masked.length;
}
