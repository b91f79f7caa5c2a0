import type { Command } from "#app/cli/command.ts";
import { ALL_COMMANDS } from "#app/cli/commands.ts";
import {
  environmentName,
  meaningOf,
  type Option,
  optionGroups,
  optionsIn,
} from "#app/options/index.ts";
import { code, table } from "../markdown.ts";
import { type Page, parts } from "../page.ts";

const SHOWN = ALL_COMMANDS.filter(({ hidden }) => hidden !== true);

/** Call of a command: `appchain rpc call METHOD [PARAMS]`. */
export function callOf({ path, positionals }: Command): string {
  const words = positionals.words.map(({ name }, i) => (i < positionals.min ? name : `[${name}]`));
  return ["appchain", ...path, ...words].join(" ");
}

/** Spelling of an option: `` `-p`, `--rpc-port PORT` ``. */
export function optionName({ flag, short, value }: Option<unknown>): string {
  const long = code(value === undefined ? `--${flag}` : `--${flag} ${value}`);
  return short === undefined ? long : `${code(`-${short}`)}, ${long}`;
}

function optionRow(option: Option<unknown>): readonly string[] {
  const { flag, defaultText = "", expected } = option;
  const environment = code(environmentName(flag));
  return [optionName(option), environment, expected, defaultText, meaningOf(option)];
}

const HEAD = ["option", "environment", "value", "default", "meaning"];

/** The options of a command, a table for each group. */
export function optionsOf({ options }: Command): string {
  const groups = optionGroups(options);
  if (groups.length === 0) return "It has no options.";
  return groups
    .map(([group, list]) => parts(`${group}:`, table(HEAD, list.map(optionRow))))
    .join("\n\n");
}

function namesOf({ options }: Command): string {
  return optionsIn(options).map(optionName).join(" ");
}

/** Commands with the same options refer to the first of them. */
function optionsOrReference(command: Command): string {
  const names = namesOf(command);
  const first = SHOWN.find((other) => names !== "" && namesOf(other) === names);
  return first === undefined || first === command
    ? optionsOf(command)
    : `Its options are those of \`${callOf(first)}\`.`;
}

function section(command: Command): string {
  const { summary, notes, examples, exitCodes } = command;
  const texts = [
    `## ${callOf(command)}`,
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    ...(notes === undefined ? [] : [notes.replaceAll("\n", " ")]),
    optionsOrReference(command),
    `Examples: ${examples.map((words) => code(`appchain ${words}`)).join(", ")}.`,
    table(
      ["exit code", "when"],
      Object.entries(exitCodes).map(([value, when]) => [value, when]),
    ),
  ];
  return parts(...texts);
}

/** The commands of the program with every option. */
export const optionsPage: Page = {
  file: "options.md",
  title: "Commands and options",
  from: "src/app/options and src/app/cli",
  body: () =>
    parts(
      table(
        ["command", "effect"],
        SHOWN.map((command) => [code(callOf(command)), command.summary]),
      ),
      "Each option can also be set in the environment; the command line takes precedence. `APPCHAIN_SEQUENCER=true APPCHAIN_PRESET=devnet appchain` starts a node without arguments. A warning names unknown `APPCHAIN_` variables.",
      ...SHOWN.map(section),
    ),
};
