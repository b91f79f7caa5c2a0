import { basename } from "node:path";

/**
 * How JavaScriptCore is set for a process that runs a node. It reads these variables when the process
 * begins, and never again.
 *
 * `useFTLJIT`: its last compiler of JavaScript. Arithmetic and hashing are WebAssembly here, which has a
 * compiler of its own; of the JavaScript around them FTL saves nothing that can be measured, and the
 * first ten thousand transfers cost a quarter of their processor time for its compilations.
 *
 * `maxNumWasmFastMemories`: how many memories of WebAssembly lie in four gigabytes of address space of
 * their own, so that the processor checks their bounds: 4 of itself. In all others each access is
 * compared with the size, which takes the machine a quarter to a half more time, and growing copies all
 * that is there. Each thread has two or three; replaced ones wait for the collector.
 *
 * `smallHeapGrowthFactor`: a heap is collected when it has grown by a quarter of what was in use, not by all
 * of it: a node under load keeps 80 MiB less, for no more processor time.
 *
 * `useWarmUpMarkedBlocks`: a thread of the runtime that touches memory ahead of all others, which took 2 %
 * of the processor time of a transfer and saved none.
 */
export const NODE_SETTINGS: Readonly<Record<string, string>> = {
  BUN_JSC_useFTLJIT: "0",
  BUN_JSC_maxNumWasmFastMemories: "256",
  BUN_JSC_smallHeapGrowthFactor: "1.25",
  BUN_JSC_useWarmUpMarkedBlocks: "0",
};

/** Commands that run a node. One without a command, whose first word is an option, does so too, */
const NODE_COMMANDS: readonly string[] = ["sequencer", "node", "devnet"];

/** but for these. */
const INFORMATION: readonly string[] = ["--help", "-h", "--version", "-V"];

/** Name of the program under which it takes the command line of starknet-devnet. */
const DEVNET_NAME = "appchain-devnet";

/**
 * The words of the command line: those behind the program's name, after the command that the name itself stands for.
 *
 * @param name - by which the program was called, with or without its folder
 */
export function wordsOf(name: string, argv: readonly string[]): readonly string[] {
  const words = argv.slice(2);
  return basename(name) === DEVNET_NAME ? ["devnet", ...words] : words;
}

/** A process as it was started. */
export interface StartedProcess {
  readonly execPath: string;
  /** Options of the runtime: none in the compiled executable. */
  readonly execArgv: readonly string[];
  /** The runtime, the program, and the words of {@link wordsOf}. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What execve(2) takes. */
export interface Execution {
  readonly path: string;
  /** With the program's own name first. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The execution by which a process gets the settings of a node: the same program again with the same
 * words. What somebody has set otherwise stays. `undefined` when all are set, or when no node is to run.
 * The question is decided by words alone: a wrong yes costs some milliseconds, a wrong no speed.
 *
 * @param isCompiled - the program is in the executable itself
 */
export function settingsExecution(
  { execPath, execArgv, argv, env }: StartedProcess,
  isCompiled: boolean,
): Execution | undefined {
  const [, program = "", ...words] = argv;
  const [first] = words;
  const startsNode =
    first === undefined
      ? Object.keys(env).some((name) => name.startsWith("APPCHAIN_"))
      : NODE_COMMANDS.includes(first) || (first.startsWith("-") && !INFORMATION.includes(first));
  const hasAll = Object.keys(NODE_SETTINGS).every((name) => env[name] !== undefined);
  if (!startsNode || hasAll) return undefined;
  const script = isCompiled ? [] : [...execArgv, program];
  const present = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return {
    path: execPath,
    argv: [execPath, ...script, ...words],
    env: { ...NODE_SETTINGS, ...Object.fromEntries(present) },
  };
}
