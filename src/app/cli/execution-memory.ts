import { defaultExecutionMemoryMib } from "#protocol/config/index.ts";

/** Converts `--execution-memory` to bytes; `null` uses the default. */
export function executionMemoryBytes(givenMib: number | null): number {
  return (givenMib ?? defaultExecutionMemoryMib(process.constrainedMemory())) * 2 ** 20;
}
