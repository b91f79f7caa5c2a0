import { defaultExecutionMemoryMib } from "#protocol/config/index.ts";

/** Bytes of `--execution-memory`, `null` where it was not given. */
export function executionMemoryBytes(givenMib: number | null): number {
  return (givenMib ?? defaultExecutionMemoryMib(process.constrainedMemory())) * 2 ** 20;
}
