import type { UpgradedConnection, UpgradeDeps } from "../../http/message.ts";
import type { WsObserver } from "../observer.ts";
import { HIGH_WATER_BYTES, MAX_CONTROL_FRAMES, type WsTimes } from "../limits.ts";
import { CLOSE_CODES, type CloseCode, closePayload, encodeFrame, OPCODES } from "./frame.ts";
import type { UnsentBudget, UnsentShare } from "../../http/unsent-budget.ts";
import { type FrameFailure, FrameReader } from "./frame-reader.ts";
import { MessageArrival } from "./message-arrival.ts";
import { FrameOutput } from "./output.ts";

/** Who works with what a client sends. */
export interface WsListener {
  /** A whole message. Its answers are sent when they are there. */
  message(text: string): void;
  /** The client has read enough to be given more at its own pace. */
  writable(): void;
  /** The server stops: the connection is to be closed once its requests are answered. */
  stopping(): void;
  /** The connection ends; nothing that is sent from now on arrives. Called once. */
  ended(): void;
}

/** What a connection is made with. */
export interface WsConnectionOptions {
  readonly maxMessageBytes: number;
  /** As in the limits of WebSocket connections. */
  readonly maxWaitingBytes: number;
  readonly times: WsTimes;
  /** Of all connections. */
  readonly unsent: UnsentBudget;
  readonly observer: Pick<WsObserver, "opened" | "closed" | "droppedSlow">;
}

const TOO_SLOW = "the message takes too long";

/** Of a connection that ended without a close frame (RFC 6455, section 7.1.5). */
const NO_CLOSE_CODE = 1006;

const utf8 = new TextEncoder();

/**
 * One WebSocket connection (RFC 6455), behind its handshake. A client that does not read, does not answer
 * pings or breaks the protocol is dropped with a close code.
 */
export class WsConnection implements UpgradedConnection {
  readonly #deps: UpgradeDeps;
  readonly #options: WsConnectionOptions;
  readonly #reader: FrameReader;
  readonly #output: FrameOutput;
  readonly #unsent: UnsentShare;
  readonly #arrival: MessageArrival;
  #listener: WsListener | undefined;
  /** `closing`: a close frame is sent, the client's is not there yet; `ending`: nothing more is said. */
  #phase: "open" | "closing" | "ending" | "closed" = "open";
  #closingSinceMs = 0;
  /** Why it ends, as far as it is said. */
  #closeCode: number = NO_CLOSE_CODE;
  #pingedMs = performance.now();
  /** A ping was sent, and nothing has come since. */
  #awaitsPong = false;
  /** Since when the socket takes nothing, as far as it was looked at. */
  #stuckSinceMs: number | undefined;
  #controlFrames = 0;
  /** What has arrived and waits until there is room for more requests. */
  #unread: Uint8Array[] = [];
  #isFull = false;
  #isPaused = false;

  constructor(deps: UpgradeDeps, options: WsConnectionOptions) {
    this.#deps = deps;
    this.#options = options;
    options.observer.opened();
    this.#unsent = options.unsent.share(deps.address, () => this.#drop());
    this.#output = new FrameOutput(deps.socket, (change) => this.#unsent.change(change));
    this.#arrival = new MessageArrival(deps.budget, {
      address: deps.address,
      granted: () => this.#throttle(),
      evicted: () => this.close(CLOSE_CODES.policyViolation, TOO_SLOW),
    });
    this.#reader = new FrameReader(
      {
        begun: (bytes, isWhole) => this.#arrival.begun(bytes, isWhole),
        message: (text) => this.#message(text),
        ping: (payload) => this.#ping(payload),
        pong: () => this.#controlFrames++,
        close: (code) => this.#closedByClient(code),
      },
      options.maxMessageBytes,
    );
  }

  /** Gives the connection to who works with its messages; to be called once, before any bytes come. */
  listen(listener: WsListener): void {
    this.#listener = listener;
  }

  /** Whether messages can be sent. */
  get isOpen(): boolean {
    return this.#phase === "open";
  }

  /** Whether the client has read enough to be given more at its own pace. */
  get isWritable(): boolean {
    return this.#output.waitingBytes <= HIGH_WATER_BYTES;
  }

  /** Sends a text message, however long: of who asks for it one at a time. */
  answer(text: string | Uint8Array): void {
    if (this.#phase !== "open") return;
    const bytes = typeof text === "string" ? utf8.encode(text) : text;
    this.#output.send(encodeFrame(OPCODES.text, bytes));
    this.#throttle();
  }

  /** Sends a text message that was not asked for; drops a client that has too much waiting. */
  notify(...parts: readonly Uint8Array[]): void {
    if (this.#phase !== "open") return;
    const { maxWaitingBytes, observer } = this.#options;
    if (this.#output.waitingBytes > maxWaitingBytes) {
      observer.droppedSlow();
      this.#output.dropUnsent();
      const reason = `too slow: more than ${maxWaitingBytes} bytes were waiting`;
      return this.close(CLOSE_CODES.policyViolation, reason);
    }
    this.#output.send(encodeFrame(OPCODES.text, ...parts));
    this.#throttle();
  }

  /** Leaves what the client sends in the socket, or reads it again. */
  setFull(isFull: boolean): void {
    this.#isFull = isFull;
    this.#throttle();
  }

  /** Ends the connection: the client is told why, behind what was sent before. */
  close(code: CloseCode, reason: string): void {
    if (this.#phase !== "open") return;
    this.#sayClose(code, reason);
    this.#phase = "closing";
    this.#end();
  }

  receive(bytes: Uint8Array): void {
    this.#awaitsPong = false;
    this.#unread.push(bytes);
    this.#read();
  }

  drained(): void {
    if (this.#output.drained()) this.#stuckSinceMs = undefined;
    if (this.#phase === "ending") this.#hangUp();
    this.#throttle();
    if (this.#phase === "open" && this.isWritable) this.#listener?.writable();
  }

  closed(): void {
    if (this.#phase === "closed") return;
    const wasOpen = this.#phase === "open";
    this.#phase = "closed";
    this.#reader.end();
    this.#output.end();
    this.#unread = [];
    this.#arrival.end();
    this.#options.observer.closed(this.#closeCode);
    if (wasOpen) this.#listener?.ended();
  }

  stop(): void {
    if (this.#phase === "open") this.#listener?.stopping();
  }

  checkTimes(nowMs: number): void {
    const { pingMs, pongMs, closeMs } = this.#options.times;
    const { messageMs, socket } = this.#deps;
    const wasFlooded = this.#controlFrames > MAX_CONTROL_FRAMES;
    this.#controlFrames = 0;
    if (this.#phase !== "open") {
      if (nowMs - this.#closingSinceMs > closeMs) socket.terminate();
    } else if (wasFlooded) this.close(CLOSE_CODES.policyViolation, "too many control frames");
    else if (this.#arrival.isTooLate(nowMs, messageMs)) {
      this.close(CLOSE_CODES.policyViolation, TOO_SLOW);
    } else if (this.#output.isBlocked) {
      this.#stuckSinceMs ??= nowMs;
      const isStuck = nowMs - this.#stuckSinceMs > pongMs;
      if (isStuck || this.#unsent.isSlow(nowMs, 4 * pongMs)) {
        this.#options.observer.droppedSlow();
        socket.terminate();
      }
    } else if (this.#isPaused) {
      // It is not read what the client says: that it is silent says nothing.
      this.#pingedMs = nowMs;
    } else if (this.#awaitsPong && nowMs - this.#pingedMs > pongMs) {
      socket.terminate();
    } else if (nowMs - this.#pingedMs > pingMs) {
      this.#pingedMs = nowMs;
      this.#awaitsPong = true;
      this.#output.send(encodeFrame(OPCODES.ping));
    }
  }

  /** Looks at what has arrived, as far as there is room for requests. */
  #read(): void {
    while (this.#isRead && !this.#isBusy) {
      const [bytes, ...others] = this.#unread;
      if (bytes === undefined) return;
      this.#unread = others;
      const failure = this.#reader.read(bytes);
      const { readBytes } = this.#reader;
      this.#arrival.add(readBytes);
      if (readBytes < bytes.byteLength) this.#unread.unshift(bytes.subarray(readBytes));
      this.#throttle();
      if (failure !== undefined) this.#fail(failure);
    }
    if (!this.#isRead) this.#unread = [];
  }

  get #isRead(): boolean {
    return this.#phase === "open" || this.#phase === "closing";
  }

  #fail({ code, reason }: FrameFailure): void {
    this.#reader.end();
    this.close(code, reason);
    this.#hangUp();
  }

  #message(text: string): void {
    this.#arrival.end();
    if (this.#phase === "open") this.#listener?.message(text);
    if (this.#isBusy) this.#reader.pause();
  }

  #ping(payload: Uint8Array): void {
    this.#controlFrames++;
    // Only the newest ping has to be answered (RFC 6455, section 5.5.3).
    if (this.#phase === "open" && !this.#output.isBlocked) {
      this.#output.send(encodeFrame(OPCODES.pong, payload));
    }
  }

  #closedByClient(code: CloseCode | undefined): void {
    if (this.#phase === "open") {
      this.#sayClose(code ?? CLOSE_CODES.normal, "");
      this.#phase = "closing";
      this.#end();
    }
    this.#hangUp();
  }

  #sayClose(code: CloseCode, reason: string): void {
    this.#closeCode = code;
    this.#output.send(encodeFrame(OPCODES.close, closePayload(code, reason)));
    this.#closingSinceMs = performance.now();
  }

  #end(): void {
    this.#arrival.end();
    this.#throttle();
    this.#listener?.ended();
  }

  /** Both sides have said all: the connection ends once the client has taken it. */
  #hangUp(): void {
    if (this.#phase === "closed") return;
    this.#phase = "ending";
    queueMicrotask(() => {
      if (this.#phase === "ending" && this.#output.waitingBytes === 0) this.#deps.socket.shutdown();
    });
  }

  /** Too much waits for all clients together, and this one reads most slowly. */
  #drop(): void {
    this.#options.observer.droppedSlow();
    this.#output.dropUnsent();
    if (this.#phase === "open" && this.isWritable) {
      this.close(CLOSE_CODES.policyViolation, "too slow while clients have too much waiting");
      return;
    }
    this.#output.end();
    // The socket may be in the middle of what made it too much.
    queueMicrotask(() => this.#deps.socket.terminate());
  }

  get #isBusy(): boolean {
    return this.#phase === "open" && (this.#isFull || !this.isWritable);
  }

  /** Leaves bytes in the socket while requests, answers or other long messages have to end first. */
  #throttle(): void {
    const isPaused = this.#isRead && (this.#isBusy || this.#arrival.isWaiting);
    if (isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    this.#arrival.setPaused(isPaused);
    if (isPaused) return this.#deps.socket.pause();
    this.#awaitsPong = false;
    this.#deps.socket.resume();
    if (this.#unread.length > 0) queueMicrotask(() => this.#read());
  }
}
