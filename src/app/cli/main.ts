import { nearest } from "#base/primitives/index.ts";
import type { ChainConfig } from "#protocol/config/index.ts";
import type { NodeOptions, StartedNode } from "#app/node/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import type { CliContext } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import type { Shell } from "./completions/shells.ts";
import { environmentStartsNode, unknownVariables } from "./environment.ts";
import { commandAt, commandsBelow, findCommand } from "./find-command.ts";
import { nodeOptions, optionOf, optionsIn } from "#app/options/index.ts";
import { createOutput } from "./output.ts";
import { NO_WORDS, parseArguments } from "./parse-arguments.ts";
import { EXIT, reportError } from "./report.ts";
import { versionText } from "./version/version-text.ts";

/** Loads the composition root, only when a node starts. */
async function startNodeLazily(options: NodeOptions): Promise<StartedNode> {
  const { startNode } = await import("#app/node/index.ts");
  return startNode(options, { exit: (code) => process.exit(code), threadEnd: "release" });
}

/** Renders the help of words: all of a named command's, and one screen of the program's. */
async function helpOfWords(words: readonly string[]): Promise<string> {
  if (words.length > 0 && commandAt(words) === undefined && commandsBelow(words).length === 0) {
    throw new ConfigError(unknownCommand(words));
  }
  const { helpOf } = await import("./help.ts");
  return helpOf(words, words.length === 0);
}

async function completionsOfShell(shell: Shell): Promise<string> {
  const { completionScript } = await import("./completions/completion-script.ts");
  return completionScript(shell, COMMANDS);
}

async function checkGenesisLazily(config: ChainConfig): Promise<void> {
  const { checkGenesis } = await import("#app/node/index.ts");
  await checkGenesis(config);
}

/** The outside world of the process itself. @param signal - aborted when the process should stop */
export function processContext(signal: AbortSignal): CliContext {
  return {
    environment: process.env,
    ...createOutput(process.stdout, process.stderr),
    terminal: process.stderr,
    signal,
    input: () => Bun.stdin.stream(),
    helpOf: helpOfWords,
    completionsOf: completionsOfShell,
    startNode: startNodeLazily,
    checkGenesis: checkGenesisLazily,
  };
}

/**
 * Runs the program.
 *
 * @param argv - the words after the program's name
 * @returns the exit code: 0, 1 (something failed), 2 (wrong command line or configuration), or one that the
 * command's help names
 */
export async function main(argv: readonly string[], context: CliContext): Promise<number> {
  try {
    return await run(argv, context);
  } catch (error) {
    const { text, exitCode } = reportError(error);
    context.err(text);
    return exitCode;
  }
}

async function run(argv: readonly string[], context: CliContext): Promise<number> {
  const end = argv.indexOf("--");
  const flags = end === -1 ? argv : argv.slice(0, end);
  if (flags.includes("--version") || flags.includes("-V")) {
    context.out(await versionText(flags.includes("--verbose")));
    return EXIT.ok;
  }
  const found = findCommand(argv);
  const path = "words" in found ? found.words : found.command.path;
  const asksForHelp = flags.includes("--help") || flags.includes("-h");
  if ("words" in found && !(asksForHelp && commandsBelow(path).length > 0)) {
    // A wrong option's value looks like a command: report the option instead.
    if (startsWithUnknownOption(argv)) parseArguments(nodeOptions, argv, {}, NO_WORDS);
    throw new ConfigError(unknownCommand(path));
  }
  const isEmpty = argv.length === 0 && !environmentStartsNode(context.environment);
  if ("words" in found || asksForHelp || isEmpty) {
    const { helpOf } = await import("./help.ts");
    context.out(await helpOf(path, !flags.includes("--help")));
    return EXIT.ok;
  }
  // The parser took the value of an unknown option for a command: `--prset devnet`.
  const [first = ""] = found.argv;
  const isKnown = optionOf(first, optionsIn(found.command.options)) !== undefined;
  if (first === argv[0] && !isKnown && startsWithUnknownOption(argv)) {
    parseArguments(nodeOptions, argv, {}, NO_WORDS);
  }
  if (found.command.hidden !== true) {
    for (const line of unknownVariables(context.environment)) context.err(`warning: ${line}`);
  }
  const runCommand = await found.command.load();
  return runCommand(found.argv, context);
}

function startsWithUnknownOption([first = ""]: readonly string[]): boolean {
  return first.startsWith("-") && optionOf(first, optionsIn(nodeOptions)) === undefined;
}

function unknownCommand(words: readonly string[]): string {
  const said = words.join(" ");
  const below = commandsBelow(words).map(({ path }) => path.join(" "));
  if (below.length > 0) return `"${said}" needs a command after it: ${below.join(", ")}`;
  const names = COMMANDS.map(({ path }) => path.join(" ")).filter((name) => name !== "");
  const match = nearest(said, names);
  const hint = match === undefined ? `; known: ${names.join(", ")}` : `; did you mean ${match}?`;
  return `unknown command "${said}"${hint}`;
}
