import type { ChainConfig } from "#protocol/config/index.ts";
import type { NodeOptions, StartedNode } from "#app/node/index.ts";
import type { Terminal } from "./class/progress.ts";
import type { OptionTable } from "./option.ts";
import type { PositionalLimits } from "./parse-arguments.ts";

/** What a command may use of the outside world; tests put their own in. */
export interface CliContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes a line to standard output. */
  readonly out: (line: string) => void;
  /** Writes a line to standard error. */
  readonly err: (line: string) => void;
  /** Where progress is shown, if it is a terminal: standard error. */
  readonly terminal: Terminal;
  /** Aborted when the process shall stop. */
  readonly signal: AbortSignal;
  /** Standard input. */
  readonly input: () => ReadableStream<Uint8Array>;
  /**
   * Help of a command or a group of commands.
   *
   * @throws {ConfigError} when the words are neither
   */
  readonly helpOf: (words: readonly string[]) => Promise<string>;
  /** Starts a node; in the program this is `#app/node/index.ts`, loaded when needed. */
  readonly startNode: (options: NodeOptions) => Promise<StartedNode>;
  /**
   * Makes the genesis state of a configuration, to find what is wrong with it; loaded when needed.
   *
   * @throws {ConfigError} with an issue per finding
   */
  readonly checkGenesis: (config: ChainConfig) => Promise<void>;
}

/** Runs a command with the words after its name; gives the exit code. */
export type RunCommand = (argv: readonly string[], context: CliContext) => Promise<number>;

/** What each exit code of a command means. */
export type ExitCodes = Readonly<Record<number, string>>;

/** One command of the program. */
export interface Command {
  /** The words that call it: `["config", "validate"]`; empty for the root form. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly options: OptionTable;
  readonly positionals: PositionalLimits;
  /** Left out of help and documents: the program calls it itself. */
  readonly hidden?: boolean;
  /** More for help. */
  readonly notes?: string;
  /** Command lines for help, without the program's name. */
  readonly examples: readonly string[];
  readonly exitCodes: ExitCodes;
  /** Loads what the command needs, on first use: others stay quick to start. */
  readonly load: () => Promise<RunCommand>;
}
