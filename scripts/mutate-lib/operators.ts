import { maskSource, matching } from "./mask.ts";

/** One way to break a source: replaces the text from `start` to `end`. */
export interface Mutation {
  readonly operator: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Finds the mutations of an operator; `masked` has code only, at the same positions as `source`. */
type Operator = (masked: string, source: string) => Mutation[];

function swap(operator: string, pattern: RegExp, replace: (found: string) => string): Operator {
  return (masked) =>
    [...masked.matchAll(pattern)].map((match) => ({
      operator,
      start: match.index,
      end: match.index + match[0].length,
      replacement: replace(match[0]),
    }));
}

const COMPARISONS: Readonly<Record<string, string>> = {
  " < ": " <= ",
  " <= ": " < ",
  " > ": " >= ",
  " >= ": " > ",
  " === ": " !== ",
  " !== ": " === ",
  " && ": " || ",
  " || ": " && ",
};

/**
 * Whether a comparison orders two items: the same member of `a` and `b`. Its bound is not mutated: the code
 * has already handled equal items, or their order does not matter.
 */
function isOrder(before: string, behind: string): boolean {
  const member = /(?:\(a, b\) => a|\ba(?=\.)|\w+OfA)((?:\.\w+)*)$/.exec(before)?.[1];
  return member !== undefined && /^(?:b|\w+OfB)((?:\.\w+)*)/.exec(behind)?.[1] === member;
}

/** Whether a comparison selects the larger or the smaller of its two sides: for equal sides the result is the same. */
function isClamp(before: string, behind: string): boolean {
  const left = /[\w.]+$/.exec(before)?.[0];
  const [, right, first, second] = /^([\w.]+) \? ([\w.]+) : ([\w.]+)/.exec(behind) ?? [];
  return (first === right && second === left) || (first === left && second === right);
}

const compare: Operator = (masked, source) =>
  swap(
    "compare",
    / (?:<=?|>=?|[!=]==|&&|\|\|) /g,
    (found) => COMPARISONS[found] ?? found,
  )(masked, source).filter(({ start, end, replacement }) => {
    const [before, behind] = [masked.slice(0, start), masked.slice(end)];
    return !/[<>]/.test(replacement) || !(isOrder(before, behind) || isClamp(before, behind));
  });

/** Negates the condition of an `if` or `while`. */
const negate: Operator = (masked, source) =>
  [...masked.matchAll(/\b(?:if|while) \(/g)].map((match) => {
    const start = match.index + match[0].length;
    const end = matching(masked, start - 1) - 1;
    return { operator: "negate", start, end, replacement: `!(${source.slice(start, end)})` };
  });

/** Deletes a call that is a whole statement; calls of `super` stay. */
const drop: Operator = (masked) =>
  [
    ...masked.matchAll(/^ +(?:await |void )?(?!super\b|return\b|if\b|for\b|while\b)[\w#.?]+\(/gm),
  ].flatMap((match) => {
    const start = match.index + match[0].search(/\S/);
    let end = matching(masked, match.index + match[0].length - 1);
    // Includes calls on the result.
    for (let next = /^\s*\??\.\w+\(/.exec(masked.slice(end)); next !== null;) {
      end = matching(masked, end + next[0].length - 1);
      next = /^\s*\??\.\w+\(/.exec(masked.slice(end));
    }
    if (masked[end] !== ";") return [];
    return [{ operator: "drop", start, end: end + 1, replacement: ";" }];
  });

/** Adds one to a number or bigint. */
const constant: Operator = swap(
  "constant",
  /(?<![\w.#])\d[\d_]*(?:\.\d+)?n?(?![\w.])/g,
  (number) => {
    const digits = number.replaceAll("_", "");
    return digits.endsWith("n")
      ? `${BigInt(digits.slice(0, -1)) + 1n}n`
      : String(Number(digits) + 1);
  },
);

/** Replaces a name in capitals, such as a wire code, by another one of the same file. */
const code: Operator = (masked, source) => {
  const names = [...masked.matchAll(/(?<!case )" +"/g)]
    .map(({ index, 0: found }) => ({ index, text: source.slice(index, index + found.length) }))
    .filter(({ text }) => /^"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"$/.test(text));
  const texts = [...new Set(names.map(({ text }) => text))];
  if (texts.length < 2) return [];
  return names.map(({ index, text }) => ({
    operator: "code",
    start: index,
    end: index + text.length,
    replacement: texts[(texts.indexOf(text) + 1) % texts.length] ?? text,
  }));
};

const OPERATORS: readonly Operator[] = [
  compare,
  swap("boolean", /\b(?:true|false)\b/g, (found) => (found === "true" ? "false" : "true")),
  swap("sign", / [+-] /g, (found) => (found === " + " ? " - " : " + ")),
  swap("count", /\+\+|--/g, (found) => (found === "++" ? "--" : "++")),
  swap("bound", /\bMath\.(?:min|max)\b/g, (found) =>
    found === "Math.min" ? "Math.max" : "Math.min",
  ),
  negate,
  drop,
  constant,
  code,
];

/** All mutations of a source, in its order. */
export function mutationsOf(source: string): readonly Mutation[] {
  const masked = maskSource(source);
  return OPERATORS.flatMap((operator) => operator(masked, source)).sort(
    (a, b) => a.start - b.start || a.end - b.end,
  );
}

/** The source after a mutation. */
export function mutate(
  source: string,
  { start, end, replacement }: Pick<Mutation, "start" | "end" | "replacement">,
): string {
  return source.slice(0, start) + replacement + source.slice(end);
}
