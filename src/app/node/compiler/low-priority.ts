import { dlopen } from "bun:ffi";
import { readdirSync } from "node:fs";
import { constants, setPriority } from "node:os";

/** PR_SET_PDEATHSIG of prctl(2). */
const SET_PARENT_DEATH_SIGNAL = 1;

/** Files of the C library on Linux: glibc's, musl's. */
const C_LIBRARIES = [
  "libc.so.6",
  `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`,
];

/**
 * Gives the rest of the machine precedence over this process. Best effort.
 *
 * @param niceness - 0 (no precedence) to 19 (all of it)
 */
export function lowerPriority(niceness: number): void {
  for (const id of threadIds()) {
    try {
      setPriority(id, niceness);
    } catch {
      // A thread that has just ended, or a system that forbids it.
    }
  }
}

/** On Linux priorities belong to threads; new ones take that of the thread that makes them. */
function threadIds(): readonly number[] {
  if (process.platform !== "linux") return [0];
  return readdirSync("/proc/self/task").map(Number);
}

/**
 * Has the system end this process with its parent, however that ends: a compilation keeps the process
 * from seeing that its input has closed. On Linux only; elsewhere it ends after the compilation.
 */
export function endWithParent(): void {
  if (process.platform !== "linux") return;
  for (const library of C_LIBRARIES) {
    try {
      const { symbols } = dlopen(library, { prctl: { args: ["i32", "u64"], returns: "i32" } });
      symbols.prctl(SET_PARENT_DEATH_SIGNAL, BigInt(constants.signals.SIGKILL));
      return;
    } catch {
      // Not this C library.
    }
  }
}
