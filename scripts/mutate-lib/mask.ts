/**
 * A TypeScript source with everything blanked that is no code: comments, texts, regular expressions;
 * then everything that does nothing: imports, types, lines for the log. Positions stay the same.
 */
export function maskSource(source: string): string {
  return blankLog(blankTypes(blankTexts(source)));
}

const BLANK = " ";

function blank(text: string): string {
  return text.replace(/[^\n]/g, BLANK);
}

/** Comments, the insides of quotes and templates (but for what is in `${}`), regular expressions. */
function blankTexts(source: string): string {
  const out = source.split("");
  const erase = (from: number, to: number): void => {
    for (let i = from; i < to; i++) if (out[i] !== "\n") out[i] = BLANK;
  };
  /** Braces that are open inside of each template that is open. */
  const templates: number[] = [];
  let i = 0;
  const templateText = (): void => {
    const from = i;
    while (i < source.length && source[i] !== "`" && !source.startsWith("${", i)) {
      i += source[i] === "\\" ? 2 : 1;
    }
    erase(from, i);
    if (source[i] === "`") templates.pop();
    i += source[i] === "`" ? 1 : 2;
  };
  while (i < source.length) {
    const char = source[i] ?? "";
    if (source.startsWith("//", i) || source.startsWith("/*", i)) {
      const close = source[i + 1] === "/" ? "\n" : "*/";
      const found = source.indexOf(close, i + 2);
      const end = found === -1 ? source.length : found + (close === "\n" ? 0 : 2);
      erase(i, end);
      i = end;
    } else if (char === '"' || char === "'") {
      const end = closing(source, i + 1, char);
      erase(i + 1, end);
      i = end + 1;
    } else if (char === "/" && startsRegExp(source, i)) {
      const end = closing(source, i + 1, "/");
      erase(i, end + 1);
      i = end + 1;
    } else if (char === "`") {
      templates.push(0);
      i++;
      templateText();
    } else {
      const open = templates.length - 1;
      const depth = templates[open] ?? 0;
      i++;
      if (char === "{" && open >= 0) templates[open] = depth + 1;
      if (char === "}" && open >= 0) {
        if (depth === 0) templateText();
        else templates[open] = depth - 1;
      }
    }
  }
  return out.join("");
}

/** Where a text or regular expression ends that stays on its line. */
function closing(source: string, from: number, quote: string): number {
  let isInClass = false;
  for (let i = from; i < source.length; i++) {
    const char = source[i];
    if (char === "\\") i++;
    else if (quote === "/" && char === "[") isInClass = true;
    else if (char === "]") isInClass = false;
    else if (char === quote && !isInClass) return i;
  }
  return source.length;
}

/** A slash after an operator, an opening bracket or `return` begins a regular expression. */
function startsRegExp(source: string, at: number): boolean {
  return /(?:[=(,:!&|?[{;]|\breturn)\s*$/.test(source.slice(Math.max(0, at - 40), at));
}

/** Imports, exports from elsewhere, interfaces, types. */
function blankTypes(masked: string): string {
  return masked
    .replace(/^(?:import|export (?:type )?\{|export \*)[^;]*;/gm, blank)
    .replace(/^(?:export )?interface [^\n]*\{\n(?:[^}\n][^\n]*\n|\n)*\}/gm, blank)
    .replace(/^(?:export )?type (?:[^;{]|\{[^}]*\})*;/gm, blank);
}

/** What goes to the log: its texts and numbers are for people. */
function blankLog(masked: string): string {
  let result = masked;
  for (const match of masked.matchAll(/[\w#.?]*\blog\??\.(?:trace|debug|info|warn|error)\(/g)) {
    const end = matching(masked, match.index + match[0].length - 1);
    result =
      result.slice(0, match.index) + blank(result.slice(match.index, end)) + result.slice(end);
  }
  return result;
}

const PAIRS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** The position behind the bracket that closes the one at `open`. */
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
