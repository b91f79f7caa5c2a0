import type { HttpSocket } from "../../http/socket.ts";
import type { LoopTurns } from "./loop-turns.ts";
import { freeBytes } from "./unread-bytes.ts";

/** What a {@link ReadPause} needs of a socket. */
export type PausedSocket = Pick<HttpSocket, "pause" | "resume" | "terminate">;

/** Pauses and resumes reading from a socket. */
export class ReadPause {
  readonly #socket: PausedSocket;
  readonly #loop: LoopTurns;
  #isOn = false;
  /** Turn of the event loop in which the socket was paused. */
  #turn = 0;

  constructor(socket: PausedSocket, loop: LoopTurns) {
    this.#socket = socket;
    this.#loop = loop;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /**
   * Frees bytes that arrive from a client that is gone, and ends its connection: nobody would read the
   * responses. In the turn of its pause, a socket still delivers what it was delivering. Later it delivers
   * nothing, until its connection is reset: then the runtime delivers everything that the kernel had for it,
   * several megabytes.
   *
   * @returns whether the client is gone
   */
  endIfGone(bytes: Uint8Array): boolean {
    const hasGone = this.#isOn && this.#loop.number !== this.#turn;
    if (!hasGone) return false;
    freeBytes(bytes);
    this.#socket.terminate();
    return true;
  }

  /** Must be called only with changes. */
  set(isOn: boolean): void {
    this.#isOn = isOn;
    if (!isOn) return this.#socket.resume();
    this.#turn = this.#loop.number;
    this.#socket.pause();
  }
}
