import type { PausedFor } from "./connection-state.ts";
import type { HttpSocket } from "./socket.ts";

/** Pauses reading from a client's socket, which leaves its bytes in the socket. */
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

  /** Time of the last change of the reason. */
  get sinceMs(): number {
    return this.#sinceMs;
  }

  /** Sets the reason to pause; `nothing` resumes reading. */
  set(pausedFor: PausedFor, nowMs: number): void {
    const before = this.#pausedFor;
    this.#pausedFor = pausedFor;
    this.#sinceMs = nowMs;
    if (before === "nothing") this.#socket.pause();
    else if (pausedFor === "nothing") this.#socket.resume();
  }
}
