import { renderUsage } from "citty";
import type { Command } from "./command.ts";
import { commandAt, commandsBelow } from "./find-command.ts";
import { meaningOf, type Option, optionGroups, type OptionTable } from "#app/options/index.ts";
import { usageCommand } from "./program.ts";
import { shortHelpOf } from "./short-help.ts";
import { wrapped } from "./wrapped.ts";

const WIDTH = 100;
const TWINS =
  "Each option has an environment variable: --rpc-port is APPCHAIN_RPC_PORT. The command line wins.";

/**
 * Renders the help of the program, a group of commands or a command.
 *
 * citty renders usage, positional arguments, commands and common options. A command's own options are
 * rendered here, since citty has a single list, no groups, and does not wrap lines: a node has dozens of
 * options. It also has no examples and no exit codes.
 *
 * @param isShort - whether one screen is enough; commands with few options print everything anyway
 */
export async function helpOf(path: readonly string[], isShort: boolean): Promise<string> {
  const command = commandAt(path);
  const short = isShort && command !== undefined ? shortHelpOf(command) : undefined;
  if (short !== undefined) return short;
  // citty decides about colours from the environment at load time, and pads lines.
  const usage = Bun.stripANSI(await renderUsage(usageCommand(path))).replaceAll(/ +$/gm, "");
  // A list below names the commands: one line with all of them is too long.
  const parts = [usage.trimEnd().replace(/^(USAGE .*) \w+(?:\|\w+){9,}$/m, "$1 COMMAND")];
  if (command !== undefined) parts.push(...optionsHelp(command.options));
  if (command?.notes !== undefined) parts.push(command.notes);
  // A group combines the examples and exit codes of its commands.
  const commands = command === undefined ? commandsBelow(path) : [command];
  const examples = commands.flatMap((each) => each.examples);
  parts.push(`EXAMPLES\n\n${examples.map((example) => `  appchain ${example}`).join("\n")}`);
  parts.push(`EXIT CODES\n\n${exitCodeLines(commands, path.length).join("\n")}`);
  return parts.join("\n\n");
}

/**
 * Formats exit codes in ascending order. Where commands use a code differently, each meaning has its own
 * line, which starts with the commands' names.
 *
 * @param depth - number of words of the group's name
 */
function exitCodeLines(commands: readonly Command[], depth: number): readonly string[] {
  const byCode = new Map<string, Map<string, string[]>>();
  for (const { path, exitCodes } of commands) {
    for (const [code, meaning] of Object.entries(exitCodes)) {
      const meanings = byCode.get(code) ?? new Map<string, string[]>();
      byCode.set(code, meanings);
      const names = meanings.get(meaning) ?? [];
      meanings.set(meaning, [...names, path.slice(depth).join(" ")]);
    }
  }
  return [...byCode]
    .sort(([left], [right]) => Number(left) - Number(right))
    .flatMap(([code, meanings]) => {
      const lines = [...meanings].flatMap(([meaning, names]) =>
        wrapped(meanings.size === 1 ? meaning : `${names.join(", ")}: ${meaning}`, WIDTH - 8),
      );
      return lines.map((line, i) => `  ${(i === 0 ? code : "").padEnd(4)} ${line}`);
    });
}

/** Formats options, a section for each group. */
export function optionsHelp(options: OptionTable): readonly string[] {
  const groups = optionGroups(options);
  if (groups.length === 0) return [];
  const texts = groups.map(
    ([group, list]) => `${group.toUpperCase()}\n\n${list.map(optionHelp).join("\n")}`,
  );
  return [...texts, TWINS];
}

function optionHelp(option: Option<unknown>): string {
  const value = option.value === undefined ? "" : ` ${option.value}`;
  const fallback = option.defaultText === undefined ? "" : ` [default: ${option.defaultText}]`;
  const text = wrapped(meaningOf(option) + fallback, WIDTH - 8);
  const short = option.short === undefined ? "" : `-${option.short}, `;
  return `  ${short}--${option.flag}${value}\n${text.map((line) => `        ${line}`).join("\n")}`;
}
