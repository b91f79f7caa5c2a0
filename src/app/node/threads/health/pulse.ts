import type { Timer } from "#base/primitives/index.ts";

/** Interval between two beats of an idle thread. */
export const PULSE_MS = 2_000;

/** Counts the progress of a thread in shared memory, for the main thread. */
export class Pulse {
  readonly #count: Int32Array;

  /** @param page - created by {@link createPulsePage}, shared by the thread and the main thread */
  constructor(page: SharedArrayBuffer) {
    this.#count = new Int32Array(page);
  }

  /** Records progress of the thread. */
  beat(): void {
    Atomics.add(this.#count, 0, 1);
  }

  /** Changes with each beat; wraps around. */
  get count(): number {
    return Atomics.load(this.#count, 0);
  }
}

/** Creates the shared memory of a {@link Pulse}. */
export function createPulsePage(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
}

/** Dependencies of {@link startPulse}. */
export interface PulseDeps {
  readonly pulse: Pulse;
  /** Performs an operation that may hang, above all a write to the disk. Called before each beat. */
  readonly probe: () => void;
  readonly timer: Timer;
}

/**
 * Beats every {@link PULSE_MS}. A thread that hangs, in the probe or in its work, stops beating; one that
 * waits for messages or an object store does not.
 *
 * @returns a function that stops the beats
 */
export function startPulse({ pulse, probe, timer }: PulseDeps): () => void {
  let cancel = (): void => undefined;
  const beat = (): void => {
    probe();
    pulse.beat();
    cancel = timer.after(PULSE_MS, beat);
  };
  cancel = timer.after(PULSE_MS, beat);
  return () => cancel();
}
