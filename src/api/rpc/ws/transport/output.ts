import type { HttpSocket } from "../../http/socket.ts";

/** Most bytes of frames that are joined for one write. */
const WRITE_BYTES = 65_536;

/**
 * Frames on their way out, in their order. What is sent in one turn of the event loop goes out in few
 * writes; what the socket does not take waits here, counted.
 */
export class FrameOutput {
  readonly #socket: HttpSocket;
  readonly #onBytes: (change: number) => void;
  #frames: Uint8Array[] = [];
  /** Bytes of the first frame that are written. */
  #offset = 0;
  #waitingBytes = 0;
  #isBlocked = false;
  #isScheduled = false;
  #isEnded = false;

  /** @param onBytes - is told how many bytes wait more, or less, than before */
  constructor(socket: HttpSocket, onBytes: (change: number) => void) {
    this.#socket = socket;
    this.#onBytes = onBytes;
  }

  /** Bytes that wait. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Whether the socket does not take what there is. */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  /** Adds a frame; it is written when this turn of the event loop ends. */
  send(frame: Uint8Array): void {
    if (this.#isEnded) return;
    this.#frames.push(frame);
    this.#count(frame.byteLength);
    if (this.#isBlocked || this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      if (!this.#isBlocked) this.#write();
    });
  }

  /** The socket takes more. @returns whether it took anything */
  drained(): boolean {
    const before = this.#waitingBytes;
    this.#isBlocked = false;
    this.#write();
    return this.#waitingBytes < before;
  }

  /** Forgets the frames that are not begun: what follows stands at the border of a frame. */
  dropUnsent(): void {
    const begun = this.#offset > 0 ? this.#frames.slice(0, 1) : [];
    const left = begun.reduce((sum, { byteLength }) => sum + byteLength - this.#offset, 0);
    this.#frames = begun;
    this.#count(left - this.#waitingBytes);
  }

  /** The connection is gone. */
  end(): void {
    this.#isEnded = true;
    this.#frames = [];
    this.#count(-this.#waitingBytes);
  }

  #write(): void {
    while (this.#frames.length > 0) {
      const bytes = this.#next();
      const written = this.#socket.write(bytes);
      // A connection that is gone says so itself.
      if (written < 0) return;
      this.#taken(written);
      if (written < bytes.byteLength) {
        this.#isBlocked = true;
        return;
      }
    }
  }

  /** The next bytes to write: the rest of a frame, with frames behind it while they are short. */
  #next(): Uint8Array {
    const [first] = this.#frames;
    let size = (first?.byteLength ?? 0) - this.#offset;
    let count = 1;
    for (; count < this.#frames.length; count++) {
      const { byteLength } = this.#frames[count] as Uint8Array;
      if (size + byteLength > WRITE_BYTES) break;
      size += byteLength;
    }
    const rest = (first ?? new Uint8Array(0)).subarray(this.#offset);
    return count === 1 ? rest : Buffer.concat([rest, ...this.#frames.slice(1, count)]);
  }

  #taken(bytes: number): void {
    this.#count(-bytes);
    let left = this.#offset + bytes;
    let whole = 0;
    for (const { byteLength } of this.#frames) {
      if (left < byteLength) break;
      left -= byteLength;
      whole++;
    }
    if (whole > 0) this.#frames = this.#frames.slice(whole);
    this.#offset = left;
  }

  #count(change: number): void {
    this.#waitingBytes += change;
    this.#onBytes(change);
  }
}
