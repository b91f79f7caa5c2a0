import { compileCairo } from "./cairo-compiler.ts";

/** Place of a function's body in a source: `[start, end)`, braces included; `line` counts from 1. */
export interface FunctionBody {
  readonly name: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** Result of {@link bisect}. */
export interface BisectResult {
  /** The source fails even with every body stubbed: a declaration or an import is wrong. */
  readonly outsideOfFunctions: boolean;
  readonly failing: readonly FunctionBody[];
}

const STUB = "{ core::panic_with_felt252('stub') }";

/**
 * Names the functions of a contract whose bodies do not compile, by compiling with all other
 * bodies stubbed, halving the set while it fails. Each try takes about 15 seconds.
 *
 * @param compiles - whether a source compiles; replaced in tests
 */
export function bisect(
  source: string,
  compiles: (source: string) => boolean = (text) => compileCairo(text).kind === "compiled",
): BisectResult {
  const bodies = functionBodies(source);
  if (!compiles(withOnly(source, bodies, new Set()))) {
    return { outsideOfFunctions: true, failing: [] };
  }
  const search = (group: readonly FunctionBody[]): FunctionBody[] => {
    if (group.length === 0 || compiles(withOnly(source, bodies, new Set(group)))) return [];
    if (group.length === 1) return [...group];
    const middle = group.length >> 1;
    return [...search(group.slice(0, middle)), ...search(group.slice(middle))];
  };
  return { outsideOfFunctions: false, failing: search(bodies) };
}

/** The functions of a Cairo source that have a body, in order. Functions do not nest in Cairo. */
export function functionBodies(source: string): FunctionBody[] {
  const code = blankNonCode(source);
  const bodies: FunctionBody[] = [];
  for (const match of code.matchAll(/\bfn\s+(\w+)/g)) {
    const open = code.slice(match.index).search(/[{;]/) + match.index;
    if (code[open] !== "{") continue;
    let depth = 0;
    let end = open;
    do {
      if (code[end] === "{") depth++;
      if (code[end] === "}") depth--;
      end++;
    } while (depth > 0 && end < code.length);
    const line = source.slice(0, match.index).split("\n").length;
    bodies.push({ name: match[1] ?? "", line, start: open, end });
  }
  return bodies;
}

function withOnly(
  source: string,
  bodies: readonly FunctionBody[],
  kept: ReadonlySet<FunctionBody>,
): string {
  let result = "";
  let at = 0;
  for (const body of bodies) {
    if (kept.has(body)) continue;
    result += source.slice(at, body.start) + STUB;
    at = body.end;
  }
  return result + source.slice(at);
}

/** The source with comments and quoted texts turned to blanks of the same length. */
function blankNonCode(source: string): string {
  return source.replace(/\/\/[^\n]*|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g, (text) =>
    " ".repeat(text.length),
  );
}
