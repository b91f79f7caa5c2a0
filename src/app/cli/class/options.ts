import type { ProcessLimits } from "#io/processes/index.ts";
import {
  compilerOptions,
  type OptionValues,
  readInteger,
  readText,
  valueOption,
} from "#app/options/index.ts";
import type { PositionalLimits } from "../parse-arguments.ts";

const group = "Compilation";

/** Options of `class hash`. */
export const classHashOptions = {
  compilerMemoryBytes: {
    ...compilerOptions.compilerMemoryBytes,
    group,
    summary: "memory limit for compiling, MiB",
  },
  compilerTimeoutMs: {
    ...compilerOptions.compilerTimeoutMs,
    group,
    summary: "processor time limit for compiling",
  },
};

/** Returns the memory and time limits of compiling a class, from the options. */
export function limitsOf(options: OptionValues<typeof classHashOptions>): ProcessLimits {
  return { residentBytes: options.compilerMemoryBytes, cpuMs: options.compilerTimeoutMs };
}

/** The options of `class compile`. */
export const classCompileOptions = {
  ...classHashOptions,
  out: valueOption(
    {
      flag: "out",
      value: "FILE",
      group,
      summary: "output file for the compiled class; replaced only once the new one is complete",
      defaultText: "standard output",
    },
    "path of a file, or - for standard output",
    readText,
    null,
  ),
  maxBytecodeSize: valueOption(
    {
      flag: "max-bytecode-size",
      value: "FELTS",
      group,
      summary: "refuse a class whose bytecode is longer; Starknet accepts at most 81920 felts",
      defaultText: "no limit",
    },
    "number of felts, at least 1",
    readInteger(1, Number.MAX_SAFE_INTEGER),
    null,
  ),
};

/** Positional arguments of `class compile` and `class hash`. */
export const CLASS_WORDS: PositionalLimits = {
  words: [
    { name: "FILE", summary: "class as JSON (*.contract_class.json); - reads standard input" },
  ],
  min: 1,
};
