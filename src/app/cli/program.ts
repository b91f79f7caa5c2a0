import { type ArgsDef, type CommandDef, type CommandMeta, defineCommand } from "citty";
import type { Command } from "./command.ts";
import { commandAt, commandsBelow } from "./find-command.ts";
import { NO_WORDS } from "./parse-arguments.ts";

const PROGRAM = "appchain";
/** Text of the help that states the purpose of the program. */
export const PURPOSE = "A Starknet-compatible chain in one executable.";

/** Options of every command. */
const COMMON: ArgsDef = {
  help: { type: "boolean", alias: "h", description: "print this help" },
  version: {
    type: "boolean",
    alias: "V",
    description: "print the version and commit; with --verbose more",
  },
};

/**
 * Builds the citty command or group of commands at `path`, with its sub commands, from the table of commands.
 * For its usage only: it has the common options, not the command's own.
 */
export function usageCommand(path: readonly string[]): CommandDef {
  const command = { meta: metaOf(path), args: { ...wordsOf(commandAt(path)), ...COMMON } };
  const below = commandsBelow(path).map((each) => each.path.slice(0, path.length + 1));
  if (below.length === 0) return defineCommand(command);
  const subCommands = below.map((each) => [each.at(-1), { meta: metaOf(each) }] as const);
  return defineCommand({ ...command, subCommands: Object.fromEntries(subCommands) });
}

/** A group is described by the names of its commands, which have their own summaries. */
function metaOf(path: readonly string[]): CommandMeta {
  const own = commandAt(path);
  const names = commandsBelow(path).map((command) => command.path.join(" "));
  return {
    // The whole name: citty otherwise shows only the last two words.
    name: [PROGRAM, ...path].join(" "),
    description: path.length === 0 ? PURPOSE : (own?.summary ?? names.join(", ")),
    hidden: own?.hidden === true,
  };
}

function wordsOf(command: Command | undefined): ArgsDef {
  const args: ArgsDef = {};
  const { words, min, rest } = command?.positionals ?? NO_WORDS;
  for (const [i, { name, summary }] of words.entries()) {
    const repeats = rest === true && i === words.length - 1;
    args[repeats ? `${name}...` : name] = {
      type: "positional",
      description: summary,
      required: i < min,
    };
  }
  return args;
}
