import {
  DEFAULT_COMPILER_MEMORY_MIB,
  MAX_COMPILER_MEMORY_MIB,
  MIN_COMPILER_MEMORY_MIB,
} from "#protocol/config/index.ts";
import { durationOption, integerOption, mibOption } from "./build-option.ts";

const group = "Compiler";

const LOWEST_PRIORITY = 19;

/** Options for the limits of a process that compiles classes. */
export const compilerOptions = {
  compilerMemoryBytes: mibOption(
    {
      flag: "compiler-memory",
      group,
      summary:
        "resident memory limit of a process that compiles a declared class, MiB; a class that needs more is refused; up to two processes run at a time",
    },
    [MIN_COMPILER_MEMORY_MIB, MAX_COMPILER_MEMORY_MIB],
    DEFAULT_COMPILER_MEMORY_MIB,
  ),
  /** Processor time per class. */
  compilerTimeoutMs: durationOption(
    {
      flag: "compiler-timeout",
      group,
      summary:
        "maximum processor time to compile one declared class; a class that takes more is refused, and so is one that takes ten times as long in wall time",
    },
    ["1ms", "1h"],
    // Several times what the largest class on the networks takes.
    "60s",
  ),
  compilerNiceness: integerOption(
    {
      flag: "compiler-nice",
      group,
      summary:
        "niceness of the processes that compile declared classes: 19 yields to every other program, which can starve them on a busy machine; 0 competes with all",
    },
    [0, LOWEST_PRIORITY],
    LOWEST_PRIORITY,
  ),
};
