import type { UpgradedConnection, UpgradeDeps } from "../../http/message.ts";
import type { BodyPieces } from "../../batch.ts";
import { HIGH_WATER_BYTES } from "../limits.ts";
import type { WsConnectionOptions } from "./connection-options.ts";
import { ControlFrames } from "./control-frames.ts";
import { CLOSE_CODES, type CloseCode, closePayload, encodeFrame, OPCODES } from "./frame.ts";
import type { Gate } from "./gate.ts";
import type { UnsentShare } from "../../http/unsent-budget.ts";
import { type FrameFailure, FrameReader } from "./frame-reader.ts";
import { Heartbeat } from "./heartbeat.ts";
import type { WsListener } from "./listener.ts";
import { MessageArrival } from "./message-arrival.ts";
import { ReadPause } from "./read-pause.ts";
import { TurnReader } from "./turn-reader.ts";
import { FrameOutput } from "./output.ts";

const FLOOD = { code: CLOSE_CODES.policyViolation, reason: "too many control frames" };
const TOO_SLOW = "the message takes too long";

/** Reported for a connection that ended without a close frame (RFC 6455, section 7.1.5). */
const NO_CLOSE_CODE = 1006;

/**
 * One WebSocket connection (RFC 6455), after its handshake. A client that does not read, does not answer
 * pings or violates the protocol is dropped with a close code.
 */
export class WsConnection implements UpgradedConnection {
  readonly #deps: UpgradeDeps;
  readonly #options: WsConnectionOptions;
  readonly #reader: FrameReader;
  readonly #output: FrameOutput;
  readonly #unsent: UnsentShare;
  readonly #arrival: MessageArrival;
  #listener: WsListener | undefined;
  /** `closing`: a close frame is sent, the client's has not arrived; `ending`: nothing more is sent. */
  #phase: "open" | "closing" | "ending" | "closed" = "open";
  #closingSinceMs = 0;
  /** Close code, once one was sent. */
  #closeCode: number = NO_CLOSE_CODE;
  readonly #heartbeat = new Heartbeat();
  /** First check at which the socket was blocked; `undefined` while it accepts bytes. */
  #stuckSinceMs: number | undefined;
  readonly #control = new ControlFrames();
  readonly #reading: TurnReader;
  #isFlood = false;
  #isFull = false;
  readonly #pause: ReadPause;

  constructor(deps: UpgradeDeps, options: WsConnectionOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#pause = new ReadPause(deps.socket, options.loop);
    options.observer.opened();
    this.#unsent = options.unsent.share(deps.client, () => this.#drop());
    this.#output = new FrameOutput(deps.socket, {
      onBytes: (change) => this.#unsent.change(change),
      onOpened: () => this.drained(),
      gateMs: options.gateMs,
    });
    this.#arrival = new MessageArrival(deps.budget, {
      client: deps.client,
      granted: () => this.#throttle(),
      evicted: () => this.close(CLOSE_CODES.policyViolation, TOO_SLOW),
    });
    this.#reader = new FrameReader(
      {
        began: (bytes, isWhole) => this.#arrival.begin(bytes, isWhole),
        message: (text) => this.#message(text),
        ping: (payload) => this.#control.ping(payload),
        pong: () => this.#control.pong(),
        frame: () => this.#frame(),
        close: (code) => this.#closedByClient(code),
      },
      options.maxMessageBytes,
    );
    this.#reading = new TurnReader({
      reader: this.#reader,
      turns: options.turns,
      ahead: options.ahead,
      client: deps.client,
      canRead: () => this.#isRead && !this.#isBusy,
      read: (bytes) => this.#arrival.add(bytes),
      failed: (failure) => this.#fail(failure),
      turnEnded: () => this.#turnEnded(),
      granted: () => this.#throttle(),
    });
  }

  /** Sets the listener for messages; must be called once, before any bytes arrive. */
  listen(listener: WsListener): void {
    this.#listener = listener;
  }

  get isOpen(): boolean {
    return this.#phase === "open";
  }

  /** Whether the client has read enough to get more at its own pace. */
  get isWritable(): boolean {
    return this.#output.waitingBytes <= HIGH_WATER_BYTES;
  }

  /** Sends a text message of any length: responses are limited by the requests in flight. */
  answer(text: string | BodyPieces): void {
    if (this.#phase !== "open") return;
    this.#output.send(encodeFrame(OPCODES.text, ...(typeof text === "string" ? [text] : text)));
    this.#throttle();
  }

  /** Sends a text message behind a gate; closes the connection of a client that has too many unsent bytes. */
  notify(gate: Gate, ...parts: readonly Uint8Array[]): void {
    if (this.#phase !== "open") return;
    const { maxWaitingBytes, observer } = this.#options;
    if (this.#output.waitingBytes > maxWaitingBytes) {
      observer.droppedSlow();
      this.#output.dropUnsent();
      const reason = `too slow: more than ${maxWaitingBytes} bytes were waiting`;
      return this.close(CLOSE_CODES.policyViolation, reason);
    }
    this.#output.send(encodeFrame(OPCODES.text, ...parts), gate);
    this.#throttle();
  }

  /** Opens a gate immediately, or a moment after all earlier frames are written. */
  open(gate: Gate, when: "later" | "now"): void {
    if (when === "now") this.#output.open(gate);
    else this.#output.openLater(gate);
  }

  /** Pauses or resumes reading from the socket. */
  setFull(isFull: boolean): void {
    this.#isFull = isFull;
    this.#throttle();
  }

  /** Closes the connection with a code and reason, after earlier messages. */
  close(code: CloseCode, reason: string): void {
    if (this.#phase !== "open") return;
    this.#sayClose(code, reason);
    this.#phase = "closing";
    this.#end();
  }

  receive(bytes: Uint8Array): void {
    if (this.#pause.endIfGone(bytes)) return;
    this.#heartbeat.heard();
    this.#reading.receive(bytes);
    // A client that floods after the close frame does not read it, and would hold its connection slot.
    if (this.#isFlood && this.#reading.isMuch) return this.#deps.socket.terminate();
    this.#throttle();
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
    this.#reading.end();
    this.#arrival.end();
    this.#options.observer.closed(this.#closeCode);
    if (wasOpen) this.#listener?.ended();
  }

  stop(): void {
    if (this.#phase === "open") this.#listener?.stopping();
  }

  checkTimes(nowMs: number): void {
    const { pongMs, closeMs } = this.#options.times;
    const { messageMs, socket } = this.#deps;
    this.#control.restart();
    if (this.#phase !== "open") {
      if (nowMs - this.#closingSinceMs > closeMs) socket.terminate();
    } else if (this.#arrival.isTooLate(nowMs, messageMs)) {
      this.close(CLOSE_CODES.policyViolation, TOO_SLOW);
    } else if (this.#output.isBlocked) {
      this.#stuckSinceMs ??= nowMs;
      const isStuck = nowMs - this.#stuckSinceMs > pongMs;
      if (isStuck || this.#unsent.isSlow(nowMs, 4 * pongMs)) {
        this.#options.observer.droppedSlow();
        socket.terminate();
      }
    } else if (this.#pause.isOn) this.#heartbeat.rest(nowMs);
    else this.#beat(nowMs);
  }

  #beat(nowMs: number): void {
    const due = this.#heartbeat.due(nowMs, this.#options.times);
    if (due === "end") this.#deps.socket.terminate();
    else if (due === "ping") this.#output.send(encodeFrame(OPCODES.ping));
  }

  #turnEnded(): void {
    const pinged = this.#control.takePing();
    if (pinged !== undefined && this.#phase === "open" && !this.#output.isBlocked) {
      this.#output.send(encodeFrame(OPCODES.pong, pinged));
    }
    if (!this.#isRead) this.#reading.end();
    this.#throttle();
  }

  #frame(): void {
    this.#reading.countFrame();
    if (this.#control.isFlood) this.#fail(FLOOD);
  }

  get #isRead(): boolean {
    return this.#phase === "open" || this.#phase === "closing";
  }

  #fail({ code, reason }: FrameFailure): void {
    this.#isFlood = code === CLOSE_CODES.policyViolation;
    this.#reader.end();
    this.close(code, reason);
    this.#hangUp();
  }

  #message(text: string): void {
    const release = this.#arrival.complete();
    if (this.#phase === "open" && this.#listener !== undefined) {
      this.#listener.message(text, release);
    } else release();
    if (this.#isBusy) this.#reader.pause();
    else this.#reading.endIfLate();
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

  /** The closing handshake is complete: the connection ends once the client has read its output. */
  #hangUp(): void {
    if (this.#phase === "closed") return;
    this.#phase = "ending";
    queueMicrotask(() => {
      if (this.#phase === "ending" && this.#output.waitingBytes === 0) this.#deps.socket.shutdown();
    });
  }

  /** Drops this client: all unsent bytes together exceed the budget, and it reads most slowly. */
  #drop(): void {
    this.#options.observer.droppedSlow();
    this.#output.dropUnsent();
    if (this.#phase === "open" && this.isWritable) {
      this.close(CLOSE_CODES.policyViolation, "too slow: clients have too many unread bytes");
      return;
    }
    this.#output.end();
    // The call may come from a write to this very socket.
    queueMicrotask(() => this.#deps.socket.terminate());
  }

  get #isBusy(): boolean {
    return this.#phase === "open" && (this.#isFull || !this.isWritable);
  }

  /** Pauses reading while requests, responses or other long messages have to finish first. */
  #throttle(): void {
    const { isMuch } = this.#reading;
    const isPaused = this.#isRead && (this.#isBusy || isMuch || this.#arrival.isWaiting);
    if (isPaused !== this.#pause.isOn) {
      if (!isPaused) this.#heartbeat.heard();
      this.#arrival.setPaused(isPaused);
      this.#pause.set(isPaused);
    }
    this.#reading.wantTurn();
  }
}
