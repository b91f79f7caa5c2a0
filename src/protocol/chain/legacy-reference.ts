import { FIELD_PRIME } from "#base/primitives/index.ts";
import type { ApTracking, LegacyReference, LegacyTerm } from "./class.ts";

const ZERO: LegacyTerm = { kind: "number", value: 0n };

const NUMBER = String.raw`(?: (?<sign>[+-]) )?(?:\((?<signed>-?\d{1,10})\)|(?<digits>\d{1,10}))`;
const CELL = new RegExp(
  String.raw`^(?: (?<operator>[+-]) )?\[(?<register>ap|fp)(?:${NUMBER})?\]`,
  "u",
);
const PLAIN = new RegExp(
  String.raw`^(?:(?<register>ap|fp)(?:${NUMBER})?|${NUMBER.replaceAll("(?<", "(?<n_")})`,
  "u",
);
const CAST = /^cast\((?<argument>[^,]*), (?<type>.*)\)$/su;

/**
 * Parses the text form of a reference, for example `[cast([fp + (-3)] + 2, felt*)]`.
 *
 * Like the reference machine, it reads a term that it does not know as 0, and ignores the rest after the
 * second term.
 *
 * @returns `undefined` when the text is not `cast(…, type)`, with or without brackets around it
 */
export function legacyReference(text: string, apTracking: ApTracking): LegacyReference | undefined {
  const outer = text.startsWith("[") && text.endsWith("]");
  const cast = CAST.exec(outer ? text.slice(1, -1) : text)?.groups;
  if (cast === undefined) return undefined;
  const { argument = "", type = "" } = cast;
  const inner = isBracketed(argument);
  const [first, rest] = readTerm(inner ? argument.slice(1, -1) : argument);
  const [second, , isDifference] = readTerm(rest);
  return { first, second, isDifference, inner, outer, apTracking, type };
}

/** Whether one pair of brackets spans the whole text. */
function isBracketed(text: string): boolean {
  if (!text.startsWith("[")) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "[") depth++;
    else if (text[i] === "]" && --depth === 0) return i === text.length - 1;
  }
  return false;
}

function readTerm(text: string): readonly [term: LegacyTerm, rest: string, isDifference: boolean] {
  const cell = CELL.exec(text);
  if (cell?.groups !== undefined) {
    const { operator, register, sign, signed, digits } = cell.groups;
    const term: LegacyTerm = {
      kind: "register",
      register: register === "fp" ? "fp" : "ap",
      offset: numberOf(sign, signed ?? digits),
      isCell: true,
    };
    return [term, text.slice(cell[0].length), operator === "-"];
  }
  const plain = PLAIN.exec(text);
  if (plain?.groups === undefined) return [ZERO, text, false];
  const { register, sign, signed, digits, n_sign, n_signed, n_digits } = plain.groups;
  const rest = text.slice(plain[0].length);
  if (register !== undefined) {
    const offset = numberOf(sign, signed ?? digits);
    const name = register === "fp" ? "fp" : "ap";
    return [{ kind: "register", register: name, offset, isCell: false }, rest, false];
  }
  const value = BigInt(numberOf(n_sign, n_signed ?? n_digits));
  return [{ kind: "number", value: value < 0n ? value + FIELD_PRIME : value }, rest, false];
}

function numberOf(sign: string | undefined, digits: string | undefined): number {
  const value = Number(digits ?? 0);
  return sign === "-" ? -value : value;
}
