import { closeSync, constants, fdatasyncSync, openSync, writeSync } from "node:fs";

/** Read, write and create, without shortening what exists. */
const FLAGS = constants.O_RDWR | constants.O_CREAT;

/**
 * Tries whether a disk completes writes: overwrites one byte of a file and has the disk confirm it. A disk
 * that hangs blocks the caller for as long. One that refuses has answered: whoever needs the disk next
 * reports that.
 */
export class DiskProbe {
  readonly #path: string;
  #file: number | undefined;

  /** @param path - the file; made by the first {@link touch} */
  constructor(path: string) {
    this.#path = path;
  }

  /** Writes, and returns once the disk has confirmed or refused. */
  touch(): void {
    try {
      this.#file ??= openSync(this.#path, FLAGS, 0o600);
      writeSync(this.#file, PROBE, 0, PROBE.length, 0);
      fdatasyncSync(this.#file);
    } catch (error) {
      if (!(error instanceof Error && "syscall" in error)) throw error;
    }
  }

  /** Closes the file. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

const PROBE = new Uint8Array(1);
