import { closeSync, constants, fdatasyncSync, openSync, writeSync } from "node:fs";

/** Read, write and create, without truncating. */
const FLAGS = constants.O_RDWR | constants.O_CREAT;

/**
 * Probes whether a disk completes writes: overwrites one byte of a file and flushes it. A disk that hangs
 * blocks the caller. An error counts as a response: the next real write reports it.
 */
export class DiskProbe {
  readonly #path: string;
  #file: number | undefined;

  /** @param path - probe file; created by the first {@link touch} */
  constructor(path: string) {
    this.#path = path;
  }

  /** Writes, and returns once the disk has confirmed or failed. */
  touch(): void {
    try {
      this.#file ??= openSync(this.#path, FLAGS, 0o600);
      writeSync(this.#file, PROBE, 0, PROBE.length, 0);
      fdatasyncSync(this.#file);
    } catch (error) {
      if (!(error instanceof Error && "syscall" in error)) throw error;
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

const PROBE = new Uint8Array(1);
