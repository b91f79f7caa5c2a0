import { isSlow, SHORT_BODY_BYTES, UNKNOWN_BODY_BYTES } from "./body-room.ts";
import { Caller } from "../limits/caller.ts";
import { IncomingRequest } from "./incoming.ts";
import { type HttpReply, rawReply, type UpgradedConnection } from "./message.ts";
import { HttpOutput, type HttpSocket } from "./output.ts";
import { type RequestHead, RequestParser } from "./parser.ts";
import { brokenRequest, MAX_PIPELINED, statusOfBroken, TOO_MANY } from "./refusals.ts";
import type { Connection, HttpService } from "./service.ts";

/** Longest head of a request in bytes. */
const MAX_HEAD_BYTES = 16_384;

/** Most bytes of bodies that wait for their turn; more are left in the socket. */
const MAX_KEPT_BYTES = 65_536;

/** For a client to read the last answer before its unread bytes reset the connection. */
const LINGER_MS = 1_000;

/**
 * One connection. Its requests are answered in their order, one after the other (RFC 9112, section
 * 9.3.2); a request that cannot be answered any more is not executed.
 */
export class HttpConnection implements Connection {
  readonly #socket: HttpSocket;
  readonly #service: HttpService;
  readonly #output: HttpOutput;
  readonly #parser: RequestParser;
  readonly #caller: Caller;
  readonly #waiting: IncomingRequest[] = [];
  /** The request that is being answered. */
  #current: IncomingRequest | undefined;
  /** The request whose body is arriving. */
  #arriving: IncomingRequest | undefined;
  /** When the request that is arriving began. */
  #begunMs: number | undefined;
  /** The last time that the client read or was answered. */
  #activeMs = performance.now();
  /** `closing`: takes no more requests; `lingering`: the last answer is written. */
  #phase: "open" | "closing" | "lingering" | "closed" = "open";
  /** Has the connection now. */
  #upgraded: UpgradedConnection | undefined;
  #isPaused = false;

  constructor(socket: HttpSocket, service: HttpService) {
    this.#socket = socket;
    this.#service = service;
    this.#output = new HttpOutput(socket);
    this.#caller = new Caller(socket.remoteAddress);
    this.#parser = new RequestParser(
      {
        begun: () => (this.#begunMs = performance.now()),
        headRead: (head) => this.#take(head),
        bodyRead: (bytes) => this.#addBody(bytes),
        ended: () => this.#endRequest(),
      },
      MAX_HEAD_BYTES,
    );
  }

  /** Takes the next bytes. */
  receive(bytes: Uint8Array): void {
    if (this.#upgraded !== undefined) return this.#upgraded.receive(bytes);
    if (this.#phase !== "open") return;
    const code = this.#parser.read(bytes);
    if (code !== undefined) this.#refuse(statusOfBroken(code));
    this.#advance();
  }

  /** The socket takes more. */
  drained(): void {
    if (this.#upgraded !== undefined) return this.#upgraded.drained();
    if (this.#output.flush()) this.#activeMs = performance.now();
    if (this.#phase === "lingering" && !this.#output.isBlocked) this.#socket.shutdown();
    this.#advance();
  }

  /** The connection is gone. */
  closed(): void {
    this.#phase = "closed";
    this.#caller.leave();
    this.#upgraded?.closed();
    for (const request of this.#waiting) request.discard();
    this.#waiting.length = 0;
    this.#current?.discard();
    this.#arriving?.discard();
    this.#arriving = undefined;
  }

  /** Ends the connection when nothing has been asked. */
  endIfIdle(): void {
    if (this.#upgraded !== undefined) return this.#upgraded.stop();
    if (this.#isIdle) this.#socket.end();
  }

  /** Ends what takes too long. To be called again and again. */
  checkTimes(nowMs: number): void {
    if (this.#upgraded !== undefined) return this.#upgraded.checkTimes(nowMs);
    const { headersMs, requestMs, idleMs } = this.#service.timeouts;
    const quietMs = nowMs - this.#activeMs;
    if (this.#output.isBlocked) {
      if (quietMs > idleMs) this.#socket.terminate();
    } else if (this.#phase === "lingering") {
      if (quietMs > LINGER_MS) this.#socket.terminate();
    } else if (this.#begunMs !== undefined && !this.#isPaused) {
      const arrivalMs = nowMs - this.#begunMs;
      const limitMs = this.#arriving === undefined ? headersMs : requestMs;
      if (arrivalMs <= limitMs && !this.#isInTheWay(arrivalMs)) return;
      this.#refuse(408);
      this.#advance();
    } else if (this.#isIdle && quietMs > idleMs) this.#socket.end();
  }

  /** Whether a long body comes so slowly that others wait for nothing. */
  #isInTheWay(arrivalMs: number): boolean {
    const { place, arrivedBytes = 0 } = this.#arriving ?? {};
    return (
      place?.isGranted === true && this.#service.room.isWanted && isSlow(arrivedBytes, arrivalMs)
    );
  }

  get #isIdle(): boolean {
    return (
      this.#phase === "open" &&
      this.#begunMs === undefined &&
      this.#current === undefined &&
      this.#waiting.length === 0 &&
      !this.#output.isBlocked
    );
  }

  #take(head: RequestHead): void {
    if (this.#phase !== "open") return;
    const sendContinue = () => this.#output.writeAscii("HTTP/1.1 100 Continue\r\n\r\n");
    const request = new IncomingRequest(head, sendContinue, this.#caller);
    const limit = this.#current === undefined ? MAX_PIPELINED + 1 : MAX_PIPELINED;
    if (this.#waiting.length >= limit) request.refusal = TOO_MANY;
    if (request.refusal !== undefined) this.#phase = "closing";
    this.#arriving = request;
    this.#waiting.push(request);
    if (request.bodyBytes > SHORT_BODY_BYTES) this.#enterRoom(request);
  }

  #addBody(bytes: Uint8Array): void {
    const request = this.#arriving;
    if (request === undefined) return;
    request.add(bytes);
    if (request.bodyBytes > SHORT_BODY_BYTES) this.#enterRoom(request);
  }

  #enterRoom(request: IncomingRequest): void {
    if (request.place !== undefined) return;
    const isAnnounced = request.headers.get("content-length") !== null;
    const bytes = isAnnounced ? request.bodyBytes : UNKNOWN_BODY_BYTES;
    request.place = this.#service.room.enter(bytes, () => this.#throttle());
  }

  #endRequest(): void {
    this.#arriving?.end();
    this.#arriving = undefined;
    this.#begunMs = undefined;
  }

  /** What cannot be read stands behind requests that are answered first. */
  #refuse(status: number): void {
    const broken = this.#arriving;
    this.#begunMs = undefined;
    this.#arriving = undefined;
    if (this.#phase !== "open") return;
    this.#phase = "closing";
    // Behind a request to close, nothing more is looked at.
    if ((this.#waiting.at(-1) ?? this.#current)?.keepsAlive === false && broken === undefined)
      return;
    if (broken === undefined) {
      this.#waiting.push(brokenRequest(status));
    } else if (broken === this.#current || this.#waiting.includes(broken)) {
      broken.refusal = rawReply(status);
      broken.discard();
    } else if (this.#current === undefined) this.#finish();
  }

  /** Answers as far as it goes without waiting. */
  #advance(): void {
    while (this.#current === undefined && !this.#output.isBlocked && this.#takesRequests) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#current = next;
      const reply = next.refusal ?? this.#service.handler(next);
      if (reply instanceof Promise) {
        void reply.then((late) => {
          this.#answer(next, late);
          this.#advance();
        });
      } else this.#answer(next, reply);
    }
    this.#throttle();
    if (this.#service.isStopping) this.endIfIdle();
  }

  get #takesRequests(): boolean {
    return this.#isAlive && this.#upgraded === undefined;
  }

  get #isAlive(): boolean {
    return this.#phase === "open" || this.#phase === "closing";
  }

  #answer(request: IncomingRequest, given: HttpReply): void {
    if (!this.#isAlive) return;
    const reply = request.refusal ?? given;
    if (reply.upgrade !== undefined && this.#mayUpgrade(request)) return this.#upgrade(reply);
    this.#write(request, reply.upgrade === undefined ? reply : rawReply(400));
  }

  #write(request: IncomingRequest, reply: HttpReply): void {
    const isLast =
      !request.keepsAlive || reply.headers["connection"] === "close" || this.#service.isStopping;
    const connection = isLast ? "close" : request.isOld ? "keep-alive" : undefined;
    this.#output.writeReply(reply, connection, request.method === "HEAD");
    this.#activeMs = performance.now();
    this.#current = undefined;
    request.discard();
    if (isLast) this.#finish();
  }

  /** A client waits for the answer to its handshake before it sends anything (RFC 6455, section 4.1). */
  #mayUpgrade(request: IncomingRequest): boolean {
    const isAlone = this.#arriving === undefined && this.#waiting.length === 0;
    if (this.#parser.hasUnread) return false;
    return isAlone && this.#phase === "open" && !request.isOld && request.bodyBytes === 0;
  }

  #upgrade(reply: HttpReply): void {
    this.#output.writeReply(reply, "Upgrade", false);
    this.#current = undefined;
    const { room, timeouts, isStopping } = this.#service;
    const parts = { socket: this.#socket, room, messageMs: timeouts.requestMs };
    this.#upgraded = reply.upgrade?.(parts);
    // A socket that does not take a hundred bytes belongs to nobody who reads.
    if (this.#output.isBlocked) this.#socket.terminate();
    else if (isStopping) this.#upgraded?.stop();
  }

  #finish(): void {
    for (const request of this.#waiting) request.discard();
    this.#waiting.length = 0;
    this.#phase = "lingering";
    if (!this.#output.isBlocked) this.#socket.shutdown();
  }

  /** Leaves bytes in the socket while too many wait for their turn, or there is no room for a body. */
  #throttle(): void {
    let kept = 0;
    for (const request of this.#waiting) kept += request.keptBytes;
    const lacksRoom = this.#arriving?.place?.isGranted === false;
    const isPaused = this.#isAlive && (kept > MAX_KEPT_BYTES || lacksRoom);
    if (isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    if (isPaused) this.#socket.pause();
    else {
      // The client could not send while it was paused.
      if (this.#begunMs !== undefined) this.#begunMs = performance.now();
      this.#socket.resume();
    }
  }
}
