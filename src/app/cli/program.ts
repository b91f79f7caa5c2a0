import { type ArgsDef, type CommandDef, defineCommand, type SubCommandsDef } from "citty";
import type { Command } from "./command.ts";
import { commandAt, commandsBelow } from "./find-command.ts";

const PROGRAM = "appchain";
const PURPOSE = "A Starknet-compatible chain in one executable.";

/** Runs a command of the table with the words that follow its name. */
export type RunLeaf = (command: Command, argv: readonly string[]) => Promise<void>;

/**
 * The citty command called by `path`, made from the table of commands; its sub commands are made
 * when they are called.
 *
 * Its options are given to citty so that help can be rendered and values told from commands. They
 * are read from the raw words by the command itself: citty accepts unknown options and keeps only
 * the last of repeated ones.
 */
export function cittyCommand(path: readonly string[], run: RunLeaf): CommandDef {
  const own = commandAt(path);
  const below = commandsBelow(path);
  const meta = {
    // The whole name: citty shows only the last two words otherwise.
    name: [PROGRAM, ...path].join(" "),
    description: path.length === 0 ? PURPOSE : describe(own, below),
    hidden: own?.hidden === true,
  };
  if (own !== undefined && below.length === 0) {
    return defineCommand({ meta, args: argsOf(own), run: ({ rawArgs }) => run(own, rawArgs) });
  }
  // Without a prototype, or `appchain constructor` would be a command.
  const subCommands = Object.create(null) as SubCommandsDef;
  for (const command of below) {
    const name = command.path[path.length] ?? "";
    subCommands[name] = () => cittyCommand([...path, name], run);
  }
  const root = own === undefined ? {} : { args: argsOf(own), default: "node" };
  return defineCommand({ meta, ...root, subCommands });
}

/** A group is described by the names of its commands, which have summaries of their own. */
function describe(own: Command | undefined, below: readonly Command[]): string {
  if (own !== undefined) return own.summary;
  return below.map(({ path }) => path.join(" ")).join(", ");
}

function argsOf({ options, positionals }: Command): ArgsDef {
  const args: ArgsDef = {};
  for (const [i, { name, summary }] of positionals.words.entries()) {
    const repeats = positionals.rest === true && i === positionals.words.length - 1;
    args[repeats ? `${name}...` : name] = {
      type: "positional",
      description: summary,
      required: i < positionals.min,
    };
  }
  for (const { flag, short, value, summary } of Object.values(options)) {
    args[flag] = {
      type: value === undefined ? "boolean" : "string",
      description: summary,
      ...(short === undefined ? {} : { alias: short }),
    };
  }
  return args;
}
