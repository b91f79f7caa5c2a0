import type { Timer } from "#base/primitives/index.ts";

/** A clock that only the test advances. */
export class FakeTimer implements Timer {
  #nowMs = 0;
  #alarms: { readonly atMs: number; readonly callback: () => void }[] = [];

  nowMs(): number {
    return this.#nowMs;
  }

  /** Number of active alarms. */
  get alarms(): number {
    return this.#alarms.length;
  }

  after(delayMs: number, callback: () => void): () => void {
    const alarm = { atMs: this.#nowMs + delayMs, callback };
    this.#alarms.push(alarm);
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
    };
  }

  /** Advances the clock and fires the due alarms in order. */
  advance(byMs: number): void {
    const untilMs = this.#nowMs + byMs;
    for (;;) {
      const [next] = this.#alarms
        .filter(({ atMs }) => atMs <= untilMs)
        .sort((a, b) => a.atMs - b.atMs);
      if (next === undefined) break;
      this.#alarms = this.#alarms.filter((other) => other !== next);
      this.#nowMs = next.atMs;
      next.callback();
    }
    this.#nowMs = untilMs;
  }
}
