import {
  DEFAULT_COMPILER_MEMORY_MIB,
  DURATION_FORM,
  MAX_ADMISSION_THREADS,
  MAX_COMPILER_MEMORY_MIB,
  FULL_EXECUTION_MEMORY_MIB,
  MAX_EXECUTION_MEMORY_MIB,
  MIN_COMPILER_MEMORY_MIB,
  MIN_EXECUTION_MEMORY_MIB,
  parseDurationMs,
  PRESETS,
} from "#protocol/config/index.ts";
import {
  listOption,
  readDuration,
  readInteger,
  readName,
  readText,
  switchOption,
  valueOption,
} from "./option.ts";

const group = "Chain";

/** Takes half a second of processor time in each of two threads, after which most code is compiled. */
const DEFAULT_WARM_UP_TRANSFERS = 200;

const MAX_WARM_UP_TRANSFERS = 10_000;

const MAX_COMPILER_TIMEOUT_MS = 3_600_000;

/** Minimum: a fast disk is opened sooner. Maximum: an operator has intervened by then. */
const START_TIMEOUT_MS = { min: 1_000, max: 3_600_000 };

/** Several times the interval at which an idle thread reports progress. */
const STALL_TIMEOUT_MS = { min: 5_000, max: 3_600_000 };

const LOWEST_PRIORITY = 19;

/** Options for the chain to run and its location. */
export const chainOptions = {
  name: valueOption(
    { flag: "name", value: "NAME", group, summary: "node name, for logs and metrics" },
    "a name of 1 to 100 characters, none of them a control character",
    readName,
    "appchain",
  ),
  basePath: valueOption(
    {
      flag: "base-path",
      value: "DIR",
      group,
      summary: "data directory",
      defaultText: "appchain-data/<chain id>",
    },
    "a directory",
    readText,
    null,
  ),
  ephemeral: switchOption({
    flag: "ephemeral",
    group,
    summary: "keep everything in a temporary folder that is deleted when the node stops",
  }),
  reset: switchOption({
    flag: "reset",
    group,
    summary:
      "delete the chain in the data directory and start a new one, without confirmation; refused for a folder that is not a data directory of this program",
  }),
  newChain: switchOption({
    flag: "new-chain",
    group,
    summary:
      "start a new chain with the existing key where chain.db is missing but other files of a chain remain, which are deleted; without this option a sequencer refuses to start there",
  }),
  chainConfigPath: valueOption(
    {
      flag: "chain-config-path",
      value: "FILE",
      group,
      summary: "YAML chain configuration; together with --preset its fields override the preset's",
    },
    "a file",
    readText,
    undefined,
  ),
  preset: valueOption(
    {
      flag: "preset",
      value: "NAME",
      group,
      summary: `predefined chain configuration: ${PRESETS.join(", ")}`,
    },
    "a preset",
    readText,
    undefined,
  ),
  chainConfigOverride: listOption({
    flag: "chain-config-override",
    value: "FIELD=VALUE",
    group,
    summary:
      "override chain configuration fields: repeatable, or a comma-separated list; reach inner fields with dots, write values as YAML",
  }),
  blockTime: valueOption(
    {
      flag: "block-time",
      value: "DURATION",
      group,
      summary: "fixed block interval, with or without transactions",
    },
    DURATION_FORM,
    (text) => (parseDurationMs(text) === undefined ? undefined : text),
    null,
  ),
  privateKeyFile: valueOption(
    {
      flag: "private-key-file",
      value: "FILE",
      group,
      summary:
        "file with the key that signs blocks; by default a key is kept in the data directory",
    },
    "a file",
    readText,
    null,
  ),
  allowBootstrap: switchOption({
    flag: "allow-bootstrap",
    group: "Chain",
    summary:
      "accept free transactions also on a public address, while the native fee token has no contract",
  }),
  noChargeFee: switchOption({
    flag: "no-charge-fee",
    group,
    summary: "execute transactions without charging fees",
  }),
  executionMemory: valueOption(
    {
      flag: "execution-memory",
      value: "MIB",
      group,
      summary:
        "memory limit for the Cairo cells of one transaction or call, MiB; plus a quarter of it, at most 256 MiB, for the data of its calls; whatever needs more is refused and never included; up to three times as much is resident at a time",
      defaultText: `${FULL_EXECUTION_MEMORY_MIB}, which gas cannot use up; at most a quarter of the computer's memory`,
    },
    `MiB from ${MIN_EXECUTION_MEMORY_MIB} to ${MAX_EXECUTION_MEMORY_MIB}`,
    readInteger(MIN_EXECUTION_MEMORY_MIB, MAX_EXECUTION_MEMORY_MIB),
    null,
  ),
  admissionThreads: valueOption(
    {
      flag: "admission-threads",
      value: "N",
      group,
      summary:
        "threads that validate submitted transactions, for computers with more than 2 cores; each keeps a Cairo machine",
    },
    `integer from 1 to ${MAX_ADMISSION_THREADS}`,
    readInteger(1, MAX_ADMISSION_THREADS),
    1,
  ),
  warmUpTransfers: valueOption(
    {
      flag: "warm-up-transfers",
      value: "N",
      group,
      summary:
        "warm-up transfers that a sequencer executes after its start, on a state that is not stored, so that the first real transactions are fast; 0 turns warm-up off, and the node loads no class and starts no compiler before the first request",
    },
    `an integer from 0 to ${MAX_WARM_UP_TRANSFERS}`,
    readInteger(0, MAX_WARM_UP_TRANSFERS),
    DEFAULT_WARM_UP_TRANSFERS,
  ),
  compilerMemory: valueOption(
    {
      flag: "compiler-memory",
      value: "MIB",
      group,
      summary:
        "resident memory limit of a process that compiles a declared class, MiB; a class that needs more is refused; up to two processes run at a time",
    },
    `MiB from ${MIN_COMPILER_MEMORY_MIB} to ${MAX_COMPILER_MEMORY_MIB}`,
    readInteger(MIN_COMPILER_MEMORY_MIB, MAX_COMPILER_MEMORY_MIB),
    DEFAULT_COMPILER_MEMORY_MIB,
  ),
  compilerTimeout: valueOption(
    {
      flag: "compiler-timeout",
      value: "DURATION",
      group,
      summary:
        "maximum processor time to compile one declared class; a class that takes more is refused, and so is one that takes ten times as long in wall time",
      defaultText: "60s",
    },
    `${DURATION_FORM}, above zero and at most 1h`,
    readDuration(1, MAX_COMPILER_TIMEOUT_MS),
    // Several times what the largest class on the networks takes.
    60_000,
  ),
  startTimeout: valueOption(
    {
      flag: "start-timeout",
      value: "DURATION",
      group,
      summary:
        "maximum time without progress of a starting thread, for example because the disk hangs or the machine is overloaded; then the node stops with exit code 1; the whole start may take longer",
      defaultText: "30s",
    },
    `${DURATION_FORM}, from 1s to 1h`,
    readDuration(START_TIMEOUT_MS.min, START_TIMEOUT_MS.max),
    30_000,
  ),
  stallTimeout: valueOption(
    {
      flag: "stall-timeout",
      value: "DURATION",
      group,
      summary:
        "maximum time without progress of a thread, for example because the disk hangs or the machine is overloaded; then GET /ready returns 503, and a leading sequencer with --publish-gate gives up leadership and stops with exit code 1",
      defaultText: "20s",
    },
    `${DURATION_FORM}, from 5s to 1h`,
    readDuration(STALL_TIMEOUT_MS.min, STALL_TIMEOUT_MS.max),
    20_000,
  ),
  compilerNice: valueOption(
    {
      flag: "compiler-nice",
      value: "N",
      group,
      summary:
        "niceness of the processes that compile declared classes: 19 yields to every other program, which can starve them on a busy machine; 0 competes with all",
      defaultText: String(LOWEST_PRIORITY),
    },
    `integer from 0 to ${LOWEST_PRIORITY}`,
    readInteger(0, LOWEST_PRIORITY),
    LOWEST_PRIORITY,
  ),
};
