import type { Command } from "./command.ts";
import { ALL_COMMANDS } from "./commands.ts";
import { nodeOptions, optionOf, optionsIn } from "#app/options/index.ts";

/** A command with its remaining words. */
export interface FoundCommand {
  readonly command: Command;
  readonly argv: readonly string[];
}

/**
 * Finds the command that a command line calls. Does not use citty, which
 * - drops options before a command's name; the root form's table shows which words are their values;
 * - cannot return a line's command without running it, which `--help` needs;
 * - names an unknown word only in a message, without suggesting the nearest command;
 * - parses the line before it runs a command: see `parseArguments`.
 *
 * @returns the understood words, when they name no command
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

/** Returns the command with exactly these words. */
export function commandAt(words: readonly string[]): Command | undefined {
  return ALL_COMMANDS.find(({ path }) => path.length === words.length && startsWith(path, words));
}

/** Returns the commands whose names start with these words and are longer. */
export function commandsBelow(words: readonly string[]): readonly Command[] {
  return ALL_COMMANDS.filter(({ path }) => path.length > words.length && startsWith(path, words));
}

function startsWith(path: readonly string[], words: readonly string[]): boolean {
  return words.every((word, i) => path[i] === word);
}

function takesNextWord(word: string): boolean {
  if (word.includes("=")) return false;
  return optionOf(word, optionsIn(nodeOptions))?.value !== undefined;
}
