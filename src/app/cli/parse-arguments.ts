import { nearest, shownAddress, shownWord } from "#base/primitives/index.ts";
import { ConfigError, type ConfigIssue } from "#base/errors/index.ts";
import type { GivenFlags } from "./given.ts";
import { environmentName, optionOf, type OptionTable, type OptionValues } from "./option.ts";

/** What a command was given. */
export interface ParsedArguments<T extends OptionTable> {
  readonly options: OptionValues<T>;
  readonly given: GivenFlags;
  readonly positionals: readonly string[];
}

/** How many words without dashes a command takes. */
export interface PositionalLimits {
  /** In order; the last may repeat when `rest` is set. */
  readonly words: readonly PositionalWord[];
  readonly min: number;
  readonly rest?: boolean;
}

/** A word without dashes, as help shows it. */
export interface PositionalWord {
  readonly name: string;
  readonly summary: string;
}

/** For commands that take options only. */
export const NO_WORDS: PositionalLimits = { words: [], min: 0 };

/** What help calls values that are addresses, which may hold keys. */
const ADDRESSES: ReadonlySet<string> = new Set(["URL", "STORE"]);

interface Sorted {
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly positionals: readonly string[];
}

/**
 * Reads a command line by its option table; the environment fills in what is not given. Not by
 * citty's parser, which
 * - takes unknown options;
 * - keeps the last of repeated ones, and does not tell that there were more;
 * - takes `--no-charge-fee` for `--charge-fee=false`, also where it stands as a value;
 * - takes the next option for a value that is missing, and an empty one at the end of the line;
 * - takes a negative number that stands alone for options;
 * - takes `-preset` for `-p reset`, and `-p=5` for the value `=5`;
 * - takes every text but `false` as a switch that is on;
 * - fails with a `TypeError` of its own on `--_`;
 * - ends with the first finding, where all are reported at once.
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
  const given = new Map<string, "line" | "environment">();
  const options: Record<string, unknown> = {};
  for (const [key, option] of Object.entries(table)) {
    const fromLine = texts.get(option.flag);
    const twin = environment[environmentName(option.flag)];
    const found = fromLine ?? (twin === undefined || twin === "" ? undefined : [twin]);
    options[key] = option.fallback;
    if (found === undefined) continue;
    given.set(option.flag, fromLine === undefined ? "environment" : "line");
    const value = option.read(found);
    if (value !== undefined) options[key] = value;
    else {
      const where = fromLine === undefined ? environmentName(option.flag) : `--${option.flag}`;
      const show = ADDRESSES.has(option.value ?? "") ? shownAddress : shownWord;
      const shown = found.map((text) => `"${show(text)}"`).join(", ");
      const message = `expected ${option.expected}, got ${shown}`;
      issues.push({ path: where, line: 0, message });
    }
  }
  checkPositionals(positionals, limits, issues);
  if (issues.length > 0) throw new ConfigError("wrong command line", issues);
  return { options: options as OptionValues<T>, given, positionals };
}

function sortArguments(
  table: OptionTable,
  argv: readonly string[],
  requiredWords: number,
  issues: ConfigIssue[],
): Sorted {
  const options = Object.values(table);
  const texts = new Map<string, readonly string[]>();
  const positionals: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? "";
    if (word === "--") {
      positionals.push(...argv.slice(i + 1));
      break;
    }
    // A negative number or a lone dash is a value, not an option; what must be there is a name.
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
      // Its value, if any, is unknown too: do not blame it for being an extra word.
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

/** `--flag=value` in its two parts. */
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
