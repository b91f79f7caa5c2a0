import { availableParallelism } from "node:os";
import {
  defaultExecutionMemoryMib,
  FULL_EXECUTION_MEMORY_MIB,
  MAX_ADMISSION_THREADS,
  MAX_EXECUTION_MEMORY_MIB,
  MIN_EXECUTION_MEMORY_MIB,
} from "#protocol/config/index.ts";
import { durationOption, integerOption, mibOption } from "./build-option.ts";
import { defaultQueryThreads, MAX_QUERY_THREADS } from "./query-threads.ts";

const group = "Threads and memory";

/** Takes half a second of processor time in each of two threads, after which most code is compiled. */
const DEFAULT_WARM_UP_TRANSFERS = 200;

/** Above this, the machine's counters would not be exact. */
const MAX_STEPS = 1_000_000_000;

/** Options whose settings every thread of a node receives in its setup. */
export const threadOptions = {
  /** Maximum memory of the cells of one transaction or call (the memory rule of #cairo). */
  executionMemoryBytes: mibOption(
    {
      flag: "execution-memory",
      group,
      summary:
        "memory limit for the Cairo cells of one transaction or call, MiB; plus a quarter of it, at most 256 MiB, for the data of its calls; whatever needs more is refused and never included; up to three times as much is resident at a time",
      defaultText: `${FULL_EXECUTION_MEMORY_MIB}, which gas cannot use up; at most a quarter of the computer's memory`,
    },
    [MIN_EXECUTION_MEMORY_MIB, MAX_EXECUTION_MEMORY_MIB],
    defaultExecutionMemoryMib(process.constrainedMemory()),
  ),
  /** Number of threads that validate submissions; with 1, admission validates itself. */
  admissionThreads: integerOption(
    {
      flag: "admission-threads",
      group,
      summary:
        "threads that validate submitted transactions, for computers with more than 2 cores; each keeps a Cairo machine",
    },
    [1, MAX_ADMISSION_THREADS],
    1,
  ),
  /** Number of threads that run queries. With 1, a long query delays all others. */
  queryThreads: integerOption(
    {
      flag: "query-threads",
      group,
      summary:
        "threads that run calls, estimates, traces and other reads of state; all but one may run long ones; each keeps a Cairo machine",
      defaultText: "all cores but one, at least 2",
    },
    [1, MAX_QUERY_THREADS],
    defaultQueryThreads(availableParallelism()),
  ),
  /** Transfers that admission and executor run after their start; 0 disables all work ahead of requests. */
  warmUpTransfers: integerOption(
    {
      flag: "warm-up-transfers",
      group,
      summary:
        "warm-up transfers that a sequencer executes after its start, on a state that is not stored, so that the first real transactions are fast; 0 turns warm-up off, and the node loads no class and starts no compiler before the first request",
    },
    [0, 10_000],
    DEFAULT_WARM_UP_TRANSFERS,
  ),
  /** Time without progress after which the start of a thread fails. */
  startTimeoutMs: durationOption(
    {
      flag: "start-timeout",
      group,
      summary:
        "maximum time without progress of a starting thread, for example because the disk hangs or the machine is overloaded; then the node stops with exit code 1; the whole start may take longer",
    },
    // A fast disk is opened within the minimum; an operator has intervened before the maximum.
    ["1s", "1h"],
    "30s",
  ),
  /** Time without progress after which a thread counts as stalled. */
  stallTimeoutMs: durationOption(
    {
      flag: "stall-timeout",
      group,
      summary:
        "maximum time without progress of a thread, for example because the disk hangs or the machine is overloaded; then GET /ready returns 503, and a leading sequencer with --publish-gate gives up leadership and stops with exit code 1",
    },
    // The minimum is several times the interval at which an idle thread reports progress.
    ["5s", "1h"],
    "20s",
  ),
  /** Maximum Cairo steps of a call or simulated transaction; `null` for the chain's limit. */
  maxSteps: integerOption(
    {
      flag: "max-steps",
      group: "JSON-RPC limits",
      summary:
        "maximum Cairo steps of a call, and of an estimated or simulated transaction if below the chain's limit",
      defaultText: "the chain's limit",
    },
    [1, MAX_STEPS],
    null,
  ),
};
