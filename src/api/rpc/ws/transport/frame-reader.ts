import { CLOSE_CODES, type CloseCode, isCloseCode, MAX_CONTROL_BYTES, OPCODES } from "./frame.ts";
import { MessageBytes } from "./message-bytes.ts";

/** Receives what a client sends; must not throw. */
export interface FrameEvents {
  /**
   * A data frame begins; called for each frame of a fragmented message.
   *
   * @param bytes - known length of the message so far
   * @param isWhole - the message has no further frame
   */
  began(bytes: number, isWhole: boolean): void;
  /** A complete message; no event before the next `began` belongs to another one. */
  message(text: string): void;
  ping(payload: Uint8Array): void;
  pong(): void;
  /** A frame of any kind was read; called after the event for its content. */
  frame(): void;
  /** The client closes the connection; `undefined` if it sends no code. */
  close(code: CloseCode | undefined): void;
}

/** Reason why a connection must end. */
export interface FrameFailure {
  readonly code: CloseCode;
  readonly reason: string;
}

/** Number of frames that any message may have. */
const FREE_FRAMES = 1_024;

/** Minimum average payload of the frames beyond those: clients that stream send KiB per frame. */
const FRAME_BYTES = 64;

type Step = "head" | "length" | "mask" | "payload";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Parses messages from the bytes of a client (RFC 6455, section 5), strictly: every frame is masked, no
 * extension is in use, lengths have their shortest form, control frames are not fragmented.
 */
export class FrameReader {
  readonly #events: FrameEvents;
  readonly #maxMessageBytes: number;
  #step: Step = "head";
  /** Bytes of the frame's head that were read so far. */
  readonly #head = new Uint8Array(8);
  #headSize = 0;
  /** Number of bytes that the step needs. */
  #needed = 2;
  #opcode = 0;
  #isFinal = false;
  #lengthCode = 0;
  readonly #mask = new Uint8Array(4);
  #payloadBytes = 0;
  #payloadRead = 0;
  readonly #message = new MessageBytes();
  /** Whether frames of a message are arriving. */
  #isInMessage = false;
  #control = new Uint8Array(0);
  #isEnded = false;
  #isPaused = false;
  #readBytes = 0;

  /** @param maxMessageBytes - limit over all frames of a message */
  constructor(events: FrameEvents, maxMessageBytes: number) {
    this.#events = events;
    this.#maxMessageBytes = maxMessageBytes;
  }

  /** Stops reading, including the rest of the current {@link read}. */
  end(): void {
    this.#isEnded = true;
    this.#endArrival();
  }

  /** Pauses the current {@link read}: the rest of its bytes must be passed again. */
  pause(): void {
    this.#isPaused = true;
  }

  /** Number of bytes that the last {@link read} consumed: fewer than passed if it was paused. */
  get readBytes(): number {
    return this.#readBytes;
  }

  /**
   * Parses the next bytes. Must not be called from an event, nor after a failure.
   *
   * @returns the reason why the connection must end
   */
  read(bytes: Uint8Array): FrameFailure | undefined {
    this.#isPaused = false;
    const [failure, readBytes] = this.#readPart(bytes);
    this.#readBytes = this.#isPaused ? readBytes : bytes.byteLength;
    return failure;
  }

  #readPart(bytes: Uint8Array): readonly [failure: FrameFailure | undefined, readBytes: number] {
    let at = 0;
    while (!this.#isEnded && !this.#isPaused && (at < bytes.byteLength || this.#isDue)) {
      if (this.#step === "payload") {
        const length = Math.min(bytes.byteLength - at, this.#payloadBytes - this.#payloadRead);
        this.#take(bytes.subarray(at, at + length));
        at += length;
        if (!this.#isDue) break;
        const failure = this.#endFrame();
        if (failure !== undefined) return [failure, at];
      } else {
        const length = Math.min(bytes.byteLength - at, this.#needed - this.#headSize);
        this.#head.set(bytes.subarray(at, at + length), this.#headSize);
        this.#headSize += length;
        at += length;
        if (this.#headSize < this.#needed) break;
        this.#headSize = 0;
        const failure = this.#endStep();
        if (failure !== undefined) return [failure, at];
      }
    }
    return [undefined, at];
  }

  /** Whether the payload is complete but not delivered: an empty one needs no further byte. */
  get #isDue(): boolean {
    return this.#step === "payload" && this.#payloadRead === this.#payloadBytes;
  }

  #expect(step: Step, bytes: number): void {
    this.#step = step;
    this.#needed = bytes;
  }

  #endStep(): FrameFailure | undefined {
    switch (this.#step) {
      case "head":
        return this.#readHead(this.#head[0] ?? 0, this.#head[1] ?? 0);
      case "length":
        return this.#readLength();
      default:
        this.#mask.set(this.#head.subarray(0, 4));
        this.#expect("payload", 0);
        return undefined;
    }
  }

  #readHead(first: number, second: number): FrameFailure | undefined {
    this.#isFinal = (first & 0x80) !== 0;
    this.#opcode = first & 0x0f;
    this.#lengthCode = second & 0x7f;
    if ((first & 0x70) !== 0) return broken("reserved bits are set");
    if ((second & 0x80) === 0) return broken("frames of clients are masked");
    switch (this.#opcode) {
      case OPCODES.continuation:
        if (!this.#isInMessage) return broken("a continuation without a beginning");
        break;
      // Both are parsed as JSON: some clients send binary frames.
      case OPCODES.text:
      case OPCODES.binary:
        if (this.#isInMessage) return broken("a message within a message");
        break;
      case OPCODES.close:
      case OPCODES.ping:
      case OPCODES.pong:
        if (!this.#isFinal || this.#lengthCode > MAX_CONTROL_BYTES) {
          return broken("a control frame is whole and at most 125 bytes long");
        }
        break;
      default:
        return broken("unknown kind of frame");
    }
    if (this.#lengthCode < 126) return this.#beginPayload(this.#lengthCode);
    this.#expect("length", this.#lengthCode === 126 ? 2 : 8);
    return undefined;
  }

  #readLength(): FrameFailure | undefined {
    const view = new DataView(this.#head.buffer);
    const isShort = this.#lengthCode === 126;
    const length = isShort ? BigInt(view.getUint16(0)) : view.getBigUint64(0);
    if (length < (isShort ? 126n : 0x1_0000n)) return broken("a length has its shortest form");
    if (length >= 1n << 63n) return broken("a length is below 2^63");
    return this.#beginPayload(Number(length));
  }

  #beginPayload(length: number): FrameFailure | undefined {
    this.#payloadBytes = length;
    this.#payloadRead = 0;
    this.#expect("mask", 4);
    if (this.#opcode >= OPCODES.close) {
      this.#control = new Uint8Array(length);
      return undefined;
    }
    this.#isInMessage = true;
    this.#message.frames++;
    const size = this.#message.size + length;
    if (this.#message.frames > FREE_FRAMES + size / FRAME_BYTES) {
      return { code: CLOSE_CODES.policyViolation, reason: "a message has too many short frames" };
    }
    if (size > this.#maxMessageBytes) {
      const reason = `a message is at most ${this.#maxMessageBytes} bytes long`;
      return { code: CLOSE_CODES.messageTooBig, reason };
    }
    this.#events.began(size, this.#isFinal);
    return undefined;
  }

  /** Appends a part of the payload, unmasked (RFC 6455, section 5.3). */
  #take(part: Uint8Array): void {
    const isControl = this.#opcode >= OPCODES.close;
    const target = isControl
      ? this.#control.subarray(this.#payloadRead)
      : this.#message.extend(part.byteLength);
    const mask = this.#mask;
    for (let i = 0, m = this.#payloadRead; i < part.length; i++, m++) {
      target[i] = (part[i] as number) ^ (mask[m & 3] as number);
    }
    this.#payloadRead += part.byteLength;
  }

  #endFrame(): FrameFailure | undefined {
    this.#expect("head", 2);
    const failure = this.#reportFrame();
    if (failure === undefined) this.#events.frame();
    return failure;
  }

  #reportFrame(): FrameFailure | undefined {
    switch (this.#opcode) {
      case OPCODES.ping:
        this.#events.ping(this.#control);
        return undefined;
      case OPCODES.pong:
        this.#events.pong();
        return undefined;
      case OPCODES.close:
        return this.#endClose(this.#control);
      default:
        return this.#isFinal ? this.#endMessage() : undefined;
    }
  }

  #endMessage(): FrameFailure | undefined {
    const text = decoded(this.#message.bytes());
    this.#endArrival();
    if (text === undefined) return { code: CLOSE_CODES.invalidText, reason: "text is UTF-8" };
    this.#events.message(text);
    return undefined;
  }

  #endArrival(): void {
    this.#isInMessage = false;
    this.#message.clear();
  }

  #endClose(payload: Uint8Array): FrameFailure | undefined {
    this.end();
    if (payload.byteLength === 0) {
      this.#events.close(undefined);
      return undefined;
    }
    const code = payload.byteLength === 1 ? 0 : new DataView(payload.buffer).getUint16(0);
    if (!isCloseCode(code)) return broken("no such close code");
    if (decoded(payload.subarray(2)) === undefined) {
      return { code: CLOSE_CODES.invalidText, reason: "text is UTF-8" };
    }
    this.#events.close(code);
    return undefined;
  }
}

function broken(reason: string): FrameFailure {
  return { code: CLOSE_CODES.protocolError, reason };
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
