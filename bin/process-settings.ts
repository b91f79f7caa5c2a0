import { basename } from "node:path";

/**
 * JavaScriptCore settings of a process that runs a node. JavaScriptCore reads these variables only at process
 * start.
 *
 * `useFTLJIT`: the top-tier JavaScript compiler. Arithmetic and hashing are WebAssembly here, which has its
 * own compiler. FTL brings no measurable gain for the JavaScript around them, and compiling it costs a
 * quarter of the processor time of the first ten thousand transfers.
 *
 * `maxNumWasmFastMemories`: number of WebAssembly memories that reserve four gigabytes of address space each,
 * so that the processor checks their bounds; the default is 4. In all others each access is compared with the
 * size, which makes the Cairo machine a quarter to a half slower, and growing copies the whole memory. Each
 * thread has two or three; replaced ones wait for the collector.
 *
 * `smallHeapGrowthFactor`: a heap is collected after growing by a quarter of its live size instead of
 * doubling: a node under load uses 80 MiB less, for no more processor time.
 *
 * `useWarmUpMarkedBlocks`: a runtime thread that touches memory ahead of all others. It took 2 % of the
 * processor time of a transfer and saved none.
 */
export const NODE_SETTINGS: Readonly<Record<string, string>> = {
  BUN_JSC_useFTLJIT: "0",
  BUN_JSC_maxNumWasmFastMemories: "256",
  BUN_JSC_smallHeapGrowthFactor: "1.25",
  BUN_JSC_useWarmUpMarkedBlocks: "0",
};

/** Commands that run a node. A command line that starts with an option runs a node too, */
const NODE_COMMANDS: readonly string[] = ["sequencer", "node", "devnet"];

/** except for these options. */
const INFORMATION: readonly string[] = ["--help", "-h", "--version", "-V"];

/** Program name that selects the command line of starknet-devnet. */
const DEVNET_NAME = "appchain-devnet";

/**
 * Words of the command line, preceded by the command that the program's name implies.
 *
 * @param name - name by which the program was called, with or without its folder
 */
export function wordsOf(name: string, argv: readonly string[]): readonly string[] {
  const words = argv.slice(2);
  return basename(name) === DEVNET_NAME ? ["devnet", ...words] : words;
}

/** Process as it was started. */
export interface StartedProcess {
  readonly execPath: string;
  /** Options of the runtime; empty in the compiled executable. */
  readonly execArgv: readonly string[];
  /** Runtime, program, and the words of {@link wordsOf}. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Arguments of execve(2). */
export interface Execution {
  readonly path: string;
  /** Arguments, starting with the program's own name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Execution that restarts the process with the settings of a node: the same program with the same words.
 * Variables that are already set are kept. `undefined` when all are set, or when no node is to run.
 *
 * The words alone decide: a wrong yes costs some milliseconds, a wrong no costs speed.
 *
 * @param isCompiled - whether the program is part of the executable
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
