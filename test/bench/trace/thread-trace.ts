import { dlopen, FFIType, ptr } from "bun:ffi";

/** A handler's run on a thread, from its call until it returned. */
export interface Turn {
  /** Caller of the handler: the kind of a message, bytes of a connection, a timer. */
  readonly label: string;
  /** Start, in microseconds of the clock that all processes of the machine share. */
  readonly startUs: number;
  readonly endUs: number;
  /** Processor time of the thread in microseconds at both ends. */
  readonly startCpuUs: number;
  readonly endCpuUs: number;
  /** Messages that it posted, and database transactions with the time of their commit. */
  readonly notes: readonly string[];
}

/** Record that a thread writes on request. */
export interface ThreadTrace {
  readonly thread: string;
  readonly turns: readonly Turn[];
}

/** Clocks of clock_gettime(2). */
const CLOCK_MONOTONIC = 1;
const CLOCK_THREAD_CPUTIME_ID = 3;

const { symbols: libc } = dlopen("libc.so.6", {
  clock_gettime: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
});
const timespec = new BigInt64Array(2);
const timespecAt = ptr(timespec);

/**
 * Microseconds of the monotonic clock: the runtime's own clock starts at zero in each process and
 * thread.
 */
export function clockUs(): number {
  return microseconds(CLOCK_MONOTONIC);
}

/** Processor time of the calling thread so far, in microseconds. */
export function threadCpuUs(): number {
  return microseconds(CLOCK_THREAD_CPUTIME_ID);
}

function microseconds(clock: number): number {
  libc.clock_gettime(clock, timespecAt);
  return Number(timespec[0]) * 1e6 + Number(timespec[1]) / 1e3;
}

/** Turns of the calling thread, in order. */
export class TurnRecorder {
  readonly turns: Turn[] = [];
  #notes: string[] | undefined;

  /** Runs a handler as a turn; a nested one is part of the outer turn. */
  run<T>(label: string, handler: () => T): T {
    if (this.#notes !== undefined) return handler();
    const notes: string[] = (this.#notes = []);
    const [startUs, startCpuUs] = [clockUs(), threadCpuUs()];
    try {
      return handler();
    } finally {
      this.#notes = undefined;
      const [endUs, endCpuUs] = [clockUs(), threadCpuUs()];
      this.turns.push({ label, startUs, endUs, startCpuUs, endCpuUs, notes });
    }
  }

  /** Adds a note to the running turn, or to the last one. */
  note(text: string): void {
    const notes = this.#notes ?? (this.turns.at(-1)?.notes as string[] | undefined);
    notes?.push(text);
  }
}

/** Label of a message: its kind, and those of its parts. */
export function labelOf(message: unknown): string {
  if (typeof message !== "object" || message === null) return typeof message;
  if ("kind" in message && typeof message.kind === "string") {
    const parts = "messages" in message && Array.isArray(message.messages) ? message.messages : [];
    if (parts.length === 0) return message.kind;
    const first = labelOf(parts[0]);
    return parts.length === 1 ? first : `${parts.length} x ${first}`;
  }
  return Object.keys(message).slice(0, 3).join(",");
}
