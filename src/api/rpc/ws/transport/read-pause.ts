import type { HttpSocket } from "../../http/socket.ts";
import type { LoopTurns } from "./loop-turns.ts";

/** Pauses and resumes reading from a socket. */
export class ReadPause {
  readonly #socket: Pick<HttpSocket, "pause" | "resume">;
  readonly #loop: LoopTurns;
  #isOn = false;
  /** Turn of the event loop in which the socket was paused. */
  #turn = 0;

  constructor(socket: Pick<HttpSocket, "pause" | "resume">, loop: LoopTurns) {
    this.#socket = socket;
    this.#loop = loop;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /**
   * Whether bytes that arrive now come from a client that is gone. In the turn of its pause, a socket still
   * delivers what it was delivering. Later it delivers nothing, until its connection is reset: then the
   * runtime delivers everything that the kernel had for it, several megabytes.
   */
  get hasGone(): boolean {
    return this.#isOn && this.#loop.number !== this.#turn;
  }

  /** Must be called only with changes. */
  set(isOn: boolean): void {
    this.#isOn = isOn;
    if (!isOn) return this.#socket.resume();
    this.#turn = this.#loop.number;
    this.#socket.pause();
  }
}
