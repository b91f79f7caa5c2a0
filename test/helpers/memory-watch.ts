import { readFileSync } from "node:fs";

/** Resident memory of a process in bytes, by Linux's account; 0 once it has exited. */
export function residentBytes(pid: number): number {
  try {
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kib ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Polls the resident memory of a process and records the maximum. */
export class MemoryWatch {
  readonly #pid: number;
  readonly #timer: ReturnType<typeof setInterval>;
  #peakBytes = 0;

  /** @param intervalMs - pause between two polls */
  constructor(pid: number, intervalMs = 50) {
    this.#pid = pid;
    this.#timer = setInterval(() => this.#look(), intervalMs);
  }

  /** Maximum since the last call of this method. */
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
