import { type Option, optionsIn } from "#app/options/index.ts";
import type { Command } from "./command.ts";
import { commandsBelow } from "./find-command.ts";
import { PURPOSE } from "./program.ts";
import { wrapped } from "./wrapped.ts";

const WIDTH = 100;

/** Commands with at least this many options have help of one screen, in addition to their whole help. */
const MANY_OPTIONS = 60;

/** Subject of the commands with the same first word. */
const SUBJECTS: Readonly<Record<string, string>> = {
  bridge: "ETH and tokens between L1 and a bootstrapped chain",
  config: "a chain configuration",
  class: "Sierra and Cairo 0 classes",
  db: "a data directory",
  snapshot: "files from which other nodes can start",
};

/**
 * Renders help of one screen: commands, the options that people use, and three examples.
 *
 * @returns `undefined` for a command whose whole help is short
 */
export function shortHelpOf(command: Command): string | undefined {
  const { path, summary, examples } = command;
  const options = optionsIn(command.options);
  if (options.length < MANY_OPTIONS) return undefined;
  const name = ["appchain", ...path].join(" ");
  const all = `${name} --help prints all ${options.length} options and the exit codes.`;
  const isRoot = path.length === 0;
  return [
    isRoot ? PURPOSE : `${name}: ${summary}`,
    `USAGE ${name} ${isRoot ? "[COMMAND] " : ""}[OPTIONS]`,
    ...(isRoot ? [section("COMMANDS", table(commandRows()))] : []),
    section("OPTIONS", table(options.flatMap(optionRow))),
    section(
      "EXAMPLES",
      examples.slice(0, 3).map((example) => `  appchain ${example}`),
    ),
    isRoot ? `${all}\nappchain COMMAND --help explains a command.` : all,
  ].join("\n\n");
}

type Row = readonly [name: string, text: string];

/** The commands; those with the same first word share a row. */
function commandRows(): readonly Row[] {
  const visible = commandsBelow([]).filter(({ hidden }) => hidden !== true);
  const groups = [...Map.groupBy(visible, ({ path }) => path[0] ?? "")];
  return groups.flatMap(([first, commands]): readonly Row[] => {
    const subject = SUBJECTS[first];
    if (subject === undefined)
      return commands.map(({ path, summary }) => [path.join(" "), summary]);
    const names = commands.map(({ path }) => path.slice(1).join(" "));
    return [[`${first} COMMAND`, `${names.join(", ")}: ${subject}`]];
  });
}

function optionRow({ flag, short, value, brief }: Option<unknown>): readonly Row[] {
  if (brief === undefined) return [];
  const letter = short === undefined ? "" : `-${short}, `;
  return [[`${letter}--${flag}${value === undefined ? "" : ` ${value}`}`, brief]];
}

/** Formats rows with their texts below each other. */
function table(rows: readonly Row[]): readonly string[] {
  const indent = Math.max(...rows.map(([name]) => name.length)) + 4;
  return rows.flatMap(([name, text]) =>
    wrapped(text, WIDTH - indent).map((line, i) =>
      (i === 0 ? `  ${name}` : "").padEnd(indent).concat(line),
    ),
  );
}

function section(title: string, lines: readonly string[]): string {
  return `${title}\n${lines.join("\n")}`;
}
