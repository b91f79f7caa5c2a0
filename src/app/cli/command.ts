import type { ChainConfig } from "#protocol/config/index.ts";
import type { NodeOptions, StartedNode } from "#app/node/index.ts";
import type { Terminal } from "./class/progress.ts";
import type { OptionTable } from "#app/options/index.ts";
import type { Shell } from "./completions/shells.ts";
import type { PositionalLimits } from "./parse-arguments.ts";

/** A command's access to the outside world; tests replace it. */
export interface CliContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes a line to standard output. */
  readonly out: (line: string) => void;
  /** Writes a line to standard error. */
  readonly err: (line: string) => void;
  /** Stream for progress, if it is a terminal: standard error. */
  readonly terminal: Terminal;
  /** Aborted when the process should stop. */
  readonly signal: AbortSignal;
  /** Standard input. */
  readonly input: () => ReadableStream<Uint8Array>;
  /**
   * Renders the help of a command or a group of commands.
   *
   * @throws {ConfigError} when the words name neither
   */
  readonly helpOf: (words: readonly string[]) => Promise<string>;
  /** Writes the completion of commands and options for a shell. */
  readonly completionsOf: (shell: Shell) => Promise<string>;
  /** Starts a node; in the program this is `#app/node/index.ts`, loaded when needed. */
  readonly startNode: (options: NodeOptions) => Promise<StartedNode>;
  /**
   * Builds the genesis state of a configuration, to find errors in it; loaded when needed.
   *
   * @throws {ConfigError} with an issue per error
   */
  readonly checkGenesis: (config: ChainConfig) => Promise<void>;
}

/** Runs a command with the words after its name; returns the exit code. */
export type RunCommand = (argv: readonly string[], context: CliContext) => Promise<number>;

/** Meaning of each exit code of a command. */
export type ExitCodes = Readonly<Record<number, string>>;

/** One command of the program. */
export interface Command {
  /** The words that call it: `["config", "validate"]`; empty for the root form. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly options: OptionTable;
  readonly positionals: PositionalLimits;
  /** Omitted from help and documentation: called by the program itself. */
  readonly hidden?: boolean;
  /** Additional text for help. */
  readonly notes?: string;
  /** Command lines for help, without the program's name. */
  readonly examples: readonly string[];
  readonly exitCodes: ExitCodes;
  /** Loads the command's code on first use, to keep other commands fast to start. */
  readonly load: () => Promise<RunCommand>;
}
