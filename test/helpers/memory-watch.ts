import { readFileSync } from "node:fs";

/** Resident memory of a process in bytes, by Linux's account; 0 when it is gone. */
export function residentBytes(pid: number): number {
  try {
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kib ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Looks at a process's memory again and again and remembers the most that it saw. */
export class MemoryWatch {
  readonly #pid: number;
  readonly #timer: ReturnType<typeof setInterval>;
  #peakBytes = 0;

  /** @param intervalMs - pause between two looks */
  constructor(pid: number, intervalMs = 50) {
    this.#pid = pid;
    this.#timer = setInterval(() => this.#look(), intervalMs);
  }

  /** The most that was seen since the last call of this. */
  takePeak(): number {
    this.#look();
    const peak = this.#peakBytes;
    this.#peakBytes = 0;
    return peak;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    this.#peakBytes = Math.max(this.#peakBytes, residentBytes(this.#pid));
  }
}
