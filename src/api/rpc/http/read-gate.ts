import type { PausedFor } from "./connection-state.ts";
import type { HttpSocket } from "./socket.ts";

/** Leaves what a client sends in its socket for a while. */
export class ReadGate {
  readonly #socket: HttpSocket;
  #pausedFor: PausedFor = "nothing";
  #sinceMs = 0;

  constructor(socket: HttpSocket) {
    this.#socket = socket;
  }

  get pausedFor(): PausedFor {
    return this.#pausedFor;
  }

  /** Since when the reason is what it is. */
  get sinceMs(): number {
    return this.#sinceMs;
  }

  /** Pauses for another reason than before, or for none. */
  set(pausedFor: PausedFor, nowMs: number): void {
    const before = this.#pausedFor;
    this.#pausedFor = pausedFor;
    this.#sinceMs = nowMs;
    if (before === "nothing") this.#socket.pause();
    else if (pausedFor === "nothing") this.#socket.resume();
  }
}
