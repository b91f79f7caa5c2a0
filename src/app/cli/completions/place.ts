import { type Option, optionsIn } from "#app/options/index.ts";
import type { Command } from "../command.ts";

/** How a value is completed: one of some words, a path, or not at all. */
export type ValueCompletion =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "file" | "directory" | "none" };

/** A word with its description. */
export interface DescribedWord {
  readonly word: string;
  readonly text: string;
}

/** An option as a shell completes it. */
export interface CompletedOption {
  readonly flag: string;
  readonly short: string | undefined;
  readonly text: string;
  /** `undefined` for a switch. */
  readonly value: ValueCompletion | undefined;
}

/** A place in a command line: after the words of a command, or of a group of commands. */
export interface Place {
  /** Words before it, separated by blanks: `db check`. */
  readonly path: string;
  readonly options: readonly CompletedOption[];
  /** Words that can come next: commands, or values of a positional argument. */
  readonly words: readonly DescribedWord[];
  /** Paths that can come next. */
  readonly paths: "file" | "directory" | undefined;
}

/** Placeholders of values that are paths. */
const PATHS: Readonly<Record<string, "file" | "directory">> = {
  FILE: "file",
  PATH: "file",
  DIR: "directory",
  TARGET: "directory",
  SOURCE: "directory",
};

const COMMON: readonly CompletedOption[] = [
  { flag: "help", short: "h", text: "print the help", value: undefined },
  { flag: "version", short: "V", text: "print the version", value: undefined },
];

/** Maximum length of a description. */
const MAX_TEXT = 90;

/** Every place where a shell completes words of the commands. */
export function placesOf(commands: readonly Command[]): readonly Place[] {
  const visible = commands.filter(({ hidden }) => hidden !== true);
  const paths = new Set(
    visible.flatMap(({ path }) => path.map((_, length) => path.slice(0, length).join(" "))),
  );
  for (const { path } of visible) paths.add(path.join(" "));
  return [...paths].sort().map((path) => placeOf(path, visible));
}

/** Options with a value at the place of the root, where the command's name can follow. */
export function valuedFlags(places: readonly Place[]): readonly string[] {
  const options = places.find(({ path }) => path === "")?.options ?? [];
  return options.filter(({ value }) => value !== undefined).flatMap(namesOf);
}

/** The flags of an option: `--rpc-port` and `-p`. */
export function namesOf({ flag, short }: CompletedOption): readonly string[] {
  return short === undefined ? [`--${flag}`] : [`--${flag}`, `-${short}`];
}

/** The words of commands and groups, each with those before it, in the form of a shell's pattern. */
export function commandPaths(places: readonly Place[]): readonly string[] {
  return places.map(({ path }) => path).filter((path) => path !== "");
}

function placeOf(path: string, commands: readonly Command[]): Place {
  const command = commands.find((each) => each.path.join(" ") === path);
  const below = commands.filter((each) => isBelow(each, path));
  const nextWords = Map.groupBy(below, (each) => each.path[wordCount(path)] ?? "");
  const [positional] = command?.positionals.words ?? [];
  // The argument of `help` is a command.
  const isOfCommands = positional?.name === "COMMAND";
  const values = isOfCommands ? [...new Set(commands.flatMap((each) => each.path))] : [];
  const words = positional?.words ?? values;
  return {
    path,
    options: [...optionsIn(command?.options ?? {}).map(completed), ...COMMON],
    words: [
      ...[...nextWords].map(([word, list]) => ({ word, text: textOf(list) })),
      ...words.map((word) => ({ word, text: "" })),
    ],
    paths: PATHS[positional?.name ?? ""],
  };
}

/** Text of a command, or of a group by the names of its commands. */
function textOf(commands: readonly Command[]): string {
  const [only] = commands;
  if (commands.length === 1 && only !== undefined) return firstClause(only.summary);
  return commands.map(({ path }) => path.slice(1).join(" ")).join(", ");
}

function completed(option: Option<unknown>): CompletedOption {
  const { flag, short, value, words, summary, brief } = option;
  const kind = PATHS[value ?? ""] ?? "none";
  const ofValue: ValueCompletion = words === undefined ? { kind } : { kind: "words", words };
  return {
    flag,
    short,
    text: firstClause(brief ?? summary),
    value: value === undefined ? undefined : ofValue,
  };
}

/** The text up to its first semicolon, without characters that shells interpret in descriptions. */
function firstClause(text: string): string {
  const [clause = ""] = text.replaceAll(/[`'"\\$]/g, "").split("; ");
  return clause.length > MAX_TEXT ? `${clause.slice(0, MAX_TEXT - 3)}...` : clause;
}

function isBelow({ path }: Command, place: string): boolean {
  return path.length > wordCount(place) && path.slice(0, wordCount(place)).join(" ") === place;
}

function wordCount(place: string): number {
  return place === "" ? 0 : place.split(" ").length;
}
