import type { Timer } from "#base/primitives/index.ts";

/** Interval between two beats of a thread that has nothing to do. */
export const PULSE_MS = 2_000;

/** Counts the progress of one thread where the main thread sees it without asking. */
export class Pulse {
  readonly #count: Int32Array;

  /** @param page - made by {@link createPulsePage}, shared by the thread and the main thread */
  constructor(page: SharedArrayBuffer) {
    this.#count = new Int32Array(page);
  }

  /** The thread has made progress. */
  beat(): void {
    Atomics.add(this.#count, 0, 1);
  }

  /** Changes with each beat; wraps around. */
  get count(): number {
    return Atomics.load(this.#count, 0);
  }
}

/** Makes the shared memory of a {@link Pulse}. */
export function createPulsePage(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
}

/** Dependencies of {@link startPulse}. */
export interface PulseDeps {
  readonly pulse: Pulse;
  /** Does what the thread's work may hang in, above all a write to the disk. Called before each beat. */
  readonly probe: () => void;
  readonly timer: Timer;
}

/**
 * Beats every {@link PULSE_MS} from now on. A thread that hangs, in the probe or in its work, beats no
 * longer; one that waits for messages, or for an object store, does.
 *
 * @returns stops the beats
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
