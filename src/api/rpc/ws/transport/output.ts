import type { HttpSocket } from "../../http/socket.ts";
import type { Gate } from "./gate.ts";

/** Maximum bytes of frames that are joined for one write. */
const WRITE_BYTES = 65_536;

/**
 * Buffer in which frames are joined for a write, which copies what it accepts: a new buffer for each write
 * would be garbage of its whole length.
 */
const JOINED = Buffer.allocUnsafeSlow(WRITE_BYTES);

/** Callbacks and times of an output. */
export interface FrameOutputDeps {
  /** Called with each change of the number of unsent bytes. */
  readonly onBytes: (change: number) => void;
  /** Called when a gate has opened: its frames are ready to be written. */
  readonly onOpened: () => void;
  /** Pause between the last byte of a response and the frames that a gate holds back behind it. */
  readonly gateMs: number;
}

/** A gate that opens once all frames before it are written. */
interface Opening {
  readonly gate: Gate;
  /** Total bytes that the connection must have written before it opens. */
  readonly atBytes: number;
}

/**
 * Unsent frames in order, except for those behind a {@link Gate}. Frames of one event-loop turn are joined
 * into few writes. Bytes that the socket does not accept are kept and counted here.
 */
export class FrameOutput {
  readonly #socket: HttpSocket;
  readonly #deps: FrameOutputDeps;
  #frames: Uint8Array[] = [];
  /** Written bytes of the first frame. */
  #offset = 0;
  /** Unsent bytes, including frames behind gates. */
  #waitingBytes = 0;
  #gatedBytes = 0;
  #writtenBytes = 0;
  /** Gates with frames behind them. */
  readonly #gates = new Set<Gate>();
  #openings: Opening[] = [];
  #isBlocked = false;
  #isScheduled = false;
  #isEnded = false;

  constructor(socket: HttpSocket, deps: FrameOutputDeps) {
    this.#socket = socket;
    this.#deps = deps;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Whether the socket refuses bytes. */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  /** Adds a frame; it is written when this turn of the event loop ends, or when its gate has opened. */
  send(frame: Uint8Array, gate?: Gate): void {
    if (this.#isEnded) return;
    this.#count(frame.byteLength);
    if (gate?.isOpen === false) {
      this.#gates.add(gate);
      this.#gatedBytes += frame.byteLength;
      gate.frames.push(frame);
      return;
    }
    this.#frames.push(frame);
    if (this.#isBlocked || this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      if (!this.#isBlocked) this.#write();
    });
  }

  /** Opens a gate a moment after all earlier frames are written. */
  openLater(gate: Gate): void {
    const atBytes = this.#writtenBytes + this.#waitingBytes - this.#gatedBytes;
    this.#openings.push({ gate, atBytes });
    this.#startOpenings();
  }

  /** Opens a gate: its frames follow those that have been sent by now. */
  open(gate: Gate): void {
    if (gate.isOpen) return;
    gate.isOpen = true;
    if (!this.#gates.delete(gate)) return;
    for (const { byteLength } of gate.frames) this.#gatedBytes -= byteLength;
    this.#frames.push(...gate.frames.splice(0));
    this.#deps.onOpened();
  }

  /** Continues when the socket accepts more. @returns whether it accepted any bytes */
  drained(): boolean {
    const before = this.#waitingBytes;
    this.#isBlocked = false;
    this.#write();
    return this.#waitingBytes < before;
  }

  /** Drops unsent frames, except one that is partly written: the stream stays at a frame boundary. */
  dropUnsent(): void {
    const partial = this.#offset > 0 ? this.#frames.slice(0, 1) : [];
    const left = partial.reduce((sum, { byteLength }) => sum + byteLength - this.#offset, 0);
    this.#frames = partial;
    this.#dropGated();
    this.#count(left - this.#waitingBytes);
  }

  /** Discards everything: the connection is closed. */
  end(): void {
    this.#isEnded = true;
    this.#frames = [];
    this.#dropGated();
    this.#count(-this.#waitingBytes);
  }

  #dropGated(): void {
    for (const gate of this.#gates) gate.frames = [];
    this.#gates.clear();
    this.#openings = [];
    this.#gatedBytes = 0;
  }

  #startOpenings(): void {
    while (this.#openings[0] !== undefined && this.#openings[0].atBytes <= this.#writtenBytes) {
      const { gate } = this.#openings.shift() as Opening;
      setTimeout(() => this.open(gate), this.#deps.gateMs);
    }
  }

  #write(): void {
    while (this.#frames.length > 0) {
      const bytes = this.#next();
      const written = this.#socket.write(bytes);
      // A negative result means a closed connection, which is reported by its own event.
      if (written < 0) return;
      this.#advance(written);
      if (written < bytes.byteLength) {
        this.#isBlocked = true;
        return;
      }
    }
  }

  /**
   * Returns the next bytes to write: the rest of a frame, joined with the following ones while they are
   * short.
   */
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
    if (count === 1) return rest;
    JOINED.set(rest);
    let at = rest.byteLength;
    for (let i = 1; i < count; i++) {
      const frame = this.#frames[i] as Uint8Array;
      JOINED.set(frame, at);
      at += frame.byteLength;
    }
    return JOINED.subarray(0, at);
  }

  #advance(bytes: number): void {
    this.#count(-bytes);
    this.#writtenBytes += bytes;
    let left = this.#offset + bytes;
    let whole = 0;
    for (const { byteLength } of this.#frames) {
      if (left < byteLength) break;
      left -= byteLength;
      whole++;
    }
    if (whole > 0) this.#frames = this.#frames.slice(whole);
    this.#offset = left;
    this.#startOpenings();
  }

  #count(change: number): void {
    this.#waitingBytes += change;
    this.#deps.onBytes(change);
  }
}
