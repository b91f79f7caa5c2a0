import { nearest, shownAddress, shownWord } from "#base/primitives/index.ts";
import { ConfigError, type ConfigIssue } from "#base/errors/index.ts";
import {
  environmentName,
  type FlagSources,
  type Option,
  optionOf,
  optionsIn,
  type OptionTable,
  type OptionValues,
  valuesOf,
} from "#app/options/index.ts";

/** The parsed command line of a command. */
export interface ParsedArguments<T extends OptionTable> {
  readonly options: OptionValues<T>;
  readonly sources: FlagSources;
  readonly positionals: readonly string[];
}

/** Positional arguments that a command accepts. */
export interface PositionalLimits {
  /** In order; the last may repeat when `rest` is set. */
  readonly words: readonly PositionalWord[];
  readonly min: number;
  readonly rest?: boolean;
}

/** A positional argument, as shown in help. */
export interface PositionalWord {
  readonly name: string;
  readonly summary: string;
  /** All values, for completion; omitted if they cannot be listed. */
  readonly words?: readonly string[];
}

/** {@link PositionalLimits} of commands that take only options. */
export const NO_WORDS: PositionalLimits = { words: [], min: 0 };

/** Placeholders in help of values that are addresses, which may contain keys. */
const ADDRESSES: ReadonlySet<string> = new Set(["URL", "STORE"]);

/** Placeholders in help of values that are secrets. */
const SECRETS: ReadonlySet<string> = new Set(["NAME=VALUE"]);

interface Sorted {
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly positionals: readonly string[];
}

/**
 * Parses a command line by its option table; the environment supplies options that are not on it. Does not
 * use citty's parser, which
 * - accepts unknown options;
 * - keeps the last of repeated options, without reporting the others;
 * - reads `--no-charge-fee` as `--charge-fee=false`, even where it is a value;
 * - uses the next option as a missing value, and an empty one at the end of the line;
 * - reads a lone negative number as options;
 * - reads `-preset` as `-p reset`, and `-p=5` as the value `=5`;
 * - reads every text except `false` as an enabled switch;
 * - fails with an internal `TypeError` on `--_`;
 * - stops at the first error, instead of reporting all.
 *
 * @throws {ConfigError} with an issue per unknown option, missing or wrong value
 */
export function parseArguments<T extends OptionTable>(
  table: T,
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  limits: PositionalLimits,
): ParsedArguments<T> {
  const issues: ConfigIssue[] = [];
  const { texts, positionals } = sortArguments(table, argv, limits.min, issues);
  const sources = new Map<string, "line" | "environment">();
  const options = valuesOf(table, (option) => {
    const fromLine = texts.get(option.flag);
    const twin = environment[environmentName(option.flag)];
    const found = fromLine ?? (twin === undefined || twin === "" ? undefined : [twin]);
    if (found === undefined) return option.fallback;
    sources.set(option.flag, fromLine === undefined ? "environment" : "line");
    const value = option.read(found);
    if (value !== undefined) return value;
    const where = fromLine === undefined ? environmentName(option.flag) : `--${option.flag}`;
    issues.push({ path: where, line: 0, message: unexpected(option, found) });
    return option.fallback;
  });
  checkPositionals(positionals, limits, issues);
  if (issues.length > 0) throw new ConfigError("wrong command line", issues);
  return { options, sources, positionals };
}

function unexpected({ value = "", expected }: Option<unknown>, texts: readonly string[]): string {
  if (SECRETS.has(value)) return `expected ${expected}`;
  const show = ADDRESSES.has(value) ? shownAddress : shownWord;
  return `expected ${expected}, got ${texts.map((text) => `"${show(text)}"`).join(", ")}`;
}

function sortArguments(
  table: OptionTable,
  argv: readonly string[],
  requiredWords: number,
  issues: ConfigIssue[],
): Sorted {
  const options = optionsIn(table);
  const texts = new Map<string, readonly string[]>();
  const positionals: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? "";
    if (word === "--") {
      positionals.push(...argv.slice(i + 1));
      break;
    }
    // A negative number or a lone dash is a value, not an option. A required word is a name, never a negative
    // number.
    const isName = positionals.length < requiredWords;
    if (!(isName ? /^-./s : /^--?[A-Za-z]/).test(word)) {
      positionals.push(word);
      continue;
    }
    const [name, inline] = splitFlag(word);
    const option = optionOf(word, options);
    if (option === undefined) {
      const flags = options.map(({ flag }) => flag);
      issues.push({ path: word.split("=")[0] ?? word, line: 0, message: unknown(name, flags) });
      // Its value, if any, is unknown too: do not report it as an extra word.
      if (inline === undefined && argv[i + 1]?.startsWith("-") === false) i++;
      continue;
    }
    let value = inline;
    if (value === undefined && option.value !== undefined) {
      value = argv[i + 1];
      if (value === undefined || optionOf(value, options) !== undefined) {
        issues.push({ path: word, line: 0, message: `expected a value: ${option.expected}` });
        continue;
      }
      i++;
    }
    const before = texts.get(option.flag) ?? [];
    if (before.length > 0 && !option.repeatable) {
      issues.push({ path: word, line: 0, message: "is given twice" });
    }
    texts.set(option.flag, [...before, value ?? "true"]);
  }
  return { texts, positionals };
}

/** Splits `--flag=value` into its two parts. */
function splitFlag(word: string): readonly [string, string?] {
  const name = word.replace(/^--?/, "");
  const at = name.indexOf("=");
  return at === -1 ? [name] : [name.slice(0, at), name.slice(at + 1)];
}

function unknown(name: string, flags: readonly string[]): string {
  const match = nearest(name, flags);
  return match === undefined ? "unknown option" : `unknown option; did you mean --${match}?`;
}

function checkPositionals(
  positionals: readonly string[],
  limits: PositionalLimits,
  issues: ConfigIssue[],
): void {
  if (positionals.length < limits.min) {
    const missing = limits.words.slice(positionals.length, limits.min);
    issues.push({
      path: missing.map(({ name }) => name).join(", "),
      line: 0,
      message: "is missing",
    });
  }
  if (limits.rest !== true) {
    for (const extra of positionals.slice(limits.words.length)) {
      issues.push({ path: shownWord(extra), line: 0, message: "is not expected here" });
    }
  }
}
