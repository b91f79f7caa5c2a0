import type { Command } from "./command.ts";
import { ALL_COMMANDS } from "./commands.ts";
import { optionOf } from "./option.ts";
import { nodeOptions } from "./run-options.ts";

/** A command and the words that are left for it. */
export interface FoundCommand {
  readonly command: Command;
  readonly argv: readonly string[];
}

/**
 * Finds the command that a command line calls. Not by citty, which
 * - drops options that stand before a command's name: words that belong to them as values are told
 *   apart by the root form's table;
 * - does not tell which command a line calls without running it, as its help asks for;
 * - names an unknown word in a message only, where the nearest command is to be named beside it;
 * - parses the line before it runs a command: see `parseArguments`.
 *
 * @returns the words that were understood, when they name no command
 */
export function findCommand(argv: readonly string[]): FoundCommand | { readonly words: string[] } {
  const words: string[] = [];
  const rest: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? "";
    if (word === "--") break;
    if (word.startsWith("-")) {
      rest.push(word);
      if (takesNextWord(word) && i + 1 < argv.length) rest.push(argv[++i] ?? "");
      continue;
    }
    words.push(word);
    const command = commandAt(words);
    if (command !== undefined) return { command, argv: [...rest, ...argv.slice(i + 1)] };
    if (commandsBelow(words).length === 0) break;
  }
  const root = commandAt([]);
  return words.length === 0 && root !== undefined ? { command: root, argv } : { words };
}

/** The command that exactly these words call. */
export function commandAt(words: readonly string[]): Command | undefined {
  return ALL_COMMANDS.find(({ path }) => path.length === words.length && startsWith(path, words));
}

/** The commands whose names start with these words and go on. */
export function commandsBelow(words: readonly string[]): readonly Command[] {
  return ALL_COMMANDS.filter(({ path }) => path.length > words.length && startsWith(path, words));
}

function startsWith(path: readonly string[], words: readonly string[]): boolean {
  return words.every((word, i) => path[i] === word);
}

function takesNextWord(word: string): boolean {
  if (word.includes("=")) return false;
  return optionOf(word, Object.values(nodeOptions))?.value !== undefined;
}
