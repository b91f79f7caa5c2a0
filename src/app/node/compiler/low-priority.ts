import { dlopen } from "bun:ffi";
import { readdirSync } from "node:fs";
import { constants, setPriority } from "node:os";

/** PR_SET_PDEATHSIG of prctl(2). */
const SET_PARENT_DEATH_SIGNAL = 1;

/** File names of the C library on Linux: glibc, then musl. */
const C_LIBRARIES = [
  "libc.so.6",
  `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`,
];

/**
 * Lowers the scheduling priority of this process. Best effort.
 *
 * @param niceness - from 0 (unchanged) to 19 (lowest priority)
 */
export function lowerPriority(niceness: number): void {
  for (const id of threadIds()) {
    try {
      setPriority(id, niceness);
    } catch {
      // The thread has just ended, or the system forbids it.
    }
  }
}

/** On Linux priorities belong to threads; a new thread inherits that of its creator. */
function threadIds(): readonly number[] {
  if (process.platform !== "linux") return [0];
  return readdirSync("/proc/self/task").map(Number);
}

/**
 * Makes the system kill this process when its parent ends, however it ends: during a compilation the process
 * does not notice that its input has closed. Linux only; elsewhere the process exits after the compilation.
 */
export function endWithParent(): void {
  if (process.platform !== "linux") return;
  for (const library of C_LIBRARIES) {
    try {
      const { symbols } = dlopen(library, { prctl: { args: ["i32", "u64"], returns: "i32" } });
      symbols.prctl(SET_PARENT_DEATH_SIGNAL, BigInt(constants.signals.SIGKILL));
      return;
    } catch {
      // Another C library is in use.
    }
  }
}
