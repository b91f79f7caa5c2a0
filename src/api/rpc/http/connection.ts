import { Caller } from "../limits/caller.ts";
import type { ConnectionView, Expiry } from "./connection-state.ts";
import { ConnectionTimes } from "./connection-times.ts";
import { CurrentAnswer } from "./current-answer.ts";
import { Ending } from "./ending.ts";
import type { Expendable } from "./giving-way.ts";
import type { IncomingRequest } from "./incoming.ts";
import { type HttpReply, rawReply, type UpgradedConnection } from "./message.ts";
import { HttpOutput, type HttpSocket } from "./output.ts";
import { brokenRequest, MAX_PIPELINED, OVERLOADED, statusOfBroken, TOO_MANY } from "./refusals.ts";
import { ReadGate } from "./read-gate.ts";
import { RequestReader } from "./request-reader.ts";
import { RequestRow } from "./request-row.ts";
import type { Connection, HttpService } from "./service.ts";

/**
 * One HTTP connection. It answers its requests in order, one at a time (RFC 9112, section 9.3.2). A request
 * that can no longer be answered is not executed. The table `WAITS` lists the waits and their limits.
 */
export class HttpConnection implements Connection {
  readonly #socket: HttpSocket;
  readonly #service: HttpService;
  readonly #output: HttpOutput;
  readonly #reader: RequestReader;
  readonly #caller: Caller;
  readonly #row: RequestRow;
  readonly #ending = new Ending();
  readonly #gate: ReadGate;
  readonly #current: CurrentAnswer;
  readonly #times: ConnectionTimes;
  #phase: ConnectionView["phase"] = "open";
  #upgraded: UpgradedConnection | undefined;

  constructor(socket: HttpSocket, service: HttpService) {
    this.#socket = socket;
    this.#service = service;
    this.#gate = new ReadGate(socket);
    this.#caller = new Caller(socket.remoteAddress);
    this.#row = new RequestRow(service.held, this.#caller);
    const unsent = service.unsent.share(this.#caller, () => this.#drop());
    this.#output = new HttpOutput(socket, unsent, service.writes);
    this.#current = new CurrentAnswer(this.#output, {
      wrote: () => this.#times.touch(),
      ended: () => {
        this.#times.touch();
        if (this.#current.end()) this.#finish();
        this.#advance();
      },
      failed: () => this.#cut(),
    });
    const events = {
      headRead: (request: IncomingRequest) => this.#take(request),
      sendContinue: () => this.#output.writeAscii("HTTP/1.1 100 Continue\r\n\r\n"),
      budgetGranted: () => this.#throttle(),
      evicted: (request: IncomingRequest) => this.#end(rawReply(408), request),
    };
    this.#reader = new RequestReader(events, this.#caller, service.budget, service.heads);
    const { arrival } = this.#reader;
    const [current, gate, ending] = [this.#current, this.#gate, this.#ending];
    this.#times = new ConnectionTimes({ arrival, current, gate, ending, unsent });
  }

  receive(bytes: Uint8Array): void {
    if (this.#upgraded !== undefined) return this.#upgraded.receive(bytes);
    this.#reader.add(bytes);
    this.#read();
  }

  drained(): void {
    if (this.#upgraded !== undefined) return this.#upgraded.drained();
    const wasBlocked = this.#output.isBlocked;
    if (this.#output.flush()) this.#times.touch();
    if (wasBlocked && this.#phase === "lingering") this.#hangUp();
    this.#current.drained();
    this.#advance();
  }

  closed(): void {
    if (this.#phase === "closed") return;
    this.#phase = "closed";
    this.#caller.leave();
    if (this.#upgraded !== undefined) this.#service.upgrades.leave();
    this.#upgraded?.closed();
    this.#output.forget();
    this.#reader.close();
    this.#row.clear();
    this.#current.abandon();
  }

  endIfIdle(): void {
    if (this.#upgraded !== undefined) return this.#upgraded.stop();
    this.#output.release();
    const { phase, isBlocked, isAnswering, arriving } = this.view;
    const hasRequest = isAnswering || this.#row.length > 0 || arriving !== "nothing";
    if (phase === "open" && !hasRequest && !isBlocked) this.#socket.end();
  }

  endIfUpgraded = (): void => this.#upgraded?.stop();

  checkTimes(nowMs: number): void {
    if (this.#upgraded !== undefined) return this.#upgraded.checkTimes(nowMs);
    const expiry = this.#times.expiry(this.view, this.#service.timeouts, nowMs);
    if (expiry !== undefined) this.#expire(expiry);
  }

  expendable(nowMs: number): Expendable | undefined {
    return this.#upgraded === undefined ? this.#times.expendable(this.view, nowMs) : undefined;
  }

  yieldSlot = (): void => {
    // An orderly close would look like the regular end of a stream.
    const mayEnd = this.#gate.pausedFor === "nothing" && !this.#current.isStreaming;
    this.#expire(mayEnd ? "close" : "terminate");
  };

  get view(): ConnectionView {
    return {
      phase: this.#phase,
      isBlocked: this.#output.isBlocked,
      isAnswering: this.#current.request !== undefined,
      arriving: this.#reader.arrival.kind,
      pausedFor: this.#gate.pausedFor,
    };
  }

  #expire(expiry: Expiry): void {
    if (expiry === "close") return this.#output.end();
    const { request, isStreaming } = this.#current;
    // The head of a stream is already written: only a dropped connection signals the failure to its client.
    if (expiry === "terminate" || (expiry === 504 && isStreaming)) return this.#cut();
    if (expiry === "finish") return this.#finish();
    const reply = expiry === 503 ? OVERLOADED : rawReply(expiry);
    if (expiry !== 504) return this.#end(reply, this.#reader.arrival.request);
    if (request !== undefined) this.#write(request, reply);
    this.#advance();
  }

  /** Parses received bytes until the connection pauses or ends. */
  #read(): void {
    while (this.#phase === "open" && this.#gate.pausedFor !== "turn" && this.#reader.hasNext) {
      const code = this.#reader.readNext();
      if (code === undefined) this.#advance();
      else this.#end(rawReply(statusOfBroken(code)), this.#reader.arrival.request);
      if (this.#upgraded !== undefined) return;
    }
    if (this.#phase === "open" || !this.#reader.hasNext) return;
    this.#ending.ignore(this.#reader.clear(), performance.now());
    if (!this.#ending.isTooMuch) return;
    if (this.#phase === "lingering" && !this.#output.isBlocked) this.#socket.terminate();
    else this.#throttle();
  }

  #take(request: IncomingRequest): void {
    const limit = this.#current.request === undefined ? MAX_PIPELINED + 1 : MAX_PIPELINED;
    if (this.#row.length >= limit) request.refusal = TOO_MANY;
    this.#row.push(request);
    if (request.refusal !== undefined) this.#close();
  }

  #close(): void {
    this.#phase = "closing";
    this.#reader.end();
    this.#ending.begin(performance.now());
  }

  /**
   * Refuses a request that is unreadable or too large; requests before it are answered first.
   *
   * @param broken - `undefined` if its head was not parsed
   */
  #end(reply: HttpReply, broken: IncomingRequest | undefined): void {
    this.#refuse(reply, broken);
    this.#advance();
  }

  #refuse(reply: HttpReply, broken: IncomingRequest | undefined): void {
    if (broken === this.#reader.arrival.request) this.#reader.arrival.end();
    const isInRow = broken !== undefined && (this.#current.is(broken) || this.#row.has(broken));
    if (isInRow) broken.refuse(reply);
    if (this.#phase !== "open") return;
    this.#close();
    if (isInRow) return;
    if (broken !== undefined) {
      if (this.#current.request === undefined) this.#finish();
      // Bytes after a request with `Connection: close` are ignored.
    } else if ((this.#row.last ?? this.#current.request)?.keepsAlive !== false) {
      this.#row.push(brokenRequest(reply));
    }
  }

  /** Answers queued requests until one has to wait. */
  #advance(): void {
    while (this.#current.request === undefined && !this.#output.isBlocked) {
      const next = this.#row.shift();
      if (next === undefined) break;
      this.#current.begin(next, performance.now());
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

  #answer(request: IncomingRequest, answer: HttpReply): void {
    request.release();
    const reply = this.#current.is(request) ? (request.refusal ?? answer) : undefined;
    if (reply !== answer) answer.stream?.close();
    if (reply === undefined) return;
    if (reply.upgrade === undefined) return this.#write(request, reply);
    if (!this.#mayUpgrade(request)) return this.#write(request, rawReply(400));
    if (!this.#service.upgrades.enter()) return this.#write(request, OVERLOADED);
    this.#upgrade(reply);
  }

  #write(request: IncomingRequest, reply: HttpReply): void {
    const isUnread = request === this.#reader.arrival.request && !request.isSoonRead;
    const { isStopping, isCrowded } = this.#service;
    const isLast = this.#current.write(request, reply, isUnread || isStopping || isCrowded);
    this.#times.touch();
    if (isLast) this.#finish();
  }

  /** A client waits for the response to its handshake before it sends anything (RFC 6455, section 4.1). */
  #mayUpgrade(request: IncomingRequest): boolean {
    if (this.#reader.hasNext || this.#reader.arrival.kind !== "nothing") return false;
    if (this.#row.length > 0) return false;
    return this.#phase === "open" && !request.isOld && request.bodyBytes === 0;
  }

  #upgrade(reply: HttpReply): void {
    this.#output.writeReply(reply, "Upgrade", false);
    this.#current.end();
    const { budget, timeouts, isStopping } = this.#service;
    const [socket, client] = [this.#socket, this.#caller];
    this.#upgraded = reply.upgrade?.({ socket, budget, client, messageMs: timeouts.requestMs });
    // A socket that cannot take a hundred bytes has no reading client.
    if (this.#output.isBlocked) this.#socket.terminate();
    else if (isStopping) this.#upgraded?.stop();
  }

  /** Discards unread output. Closes in a microtask: the caller may be in the middle of a write. */
  #drop(): void {
    this.#current.closeStream();
    this.#output.forget();
    queueMicrotask(() => this.#socket.terminate());
  }

  /** Drops the connection in the middle of a response. */
  #cut(): void {
    this.#current.closeStream();
    this.#socket.terminate();
  }

  /** Stops answering: the last response is written, or is a stream that continues. */
  #finish(): void {
    if (this.#phase === "closed") return;
    this.#row.clear();
    this.#reader.arrival.request?.discard();
    if (this.#current.isStreaming) {
      this.#current.makeLast();
      if (this.#phase === "open") this.#close();
      return this.#throttle();
    }
    this.#phase = "lingering";
    this.#throttle();
    this.#hangUp();
  }

  /** The last response is in flight: from here on the client may only read. */
  #hangUp(): void {
    this.#ending.begin(performance.now());
    this.#output.shutdown();
  }

  /** Pauses reading from the socket while too many requests are queued, or the body budget is spent. */
  #throttle(): void {
    this.#row.count(this.#reader.unreadBytes);
    const pausedFor = this.#reasonToPause();
    if (pausedFor === this.#gate.pausedFor) return;
    const nowMs = performance.now();
    this.#gate.set(pausedFor, nowMs);
    this.#reader.arrival.setPaused(pausedFor !== "nothing", nowMs);
    if (pausedFor === "nothing") queueMicrotask(() => this.#read());
  }

  #reasonToPause(): ConnectionView["pausedFor"] {
    if (this.#phase === "open") {
      if (this.#row.isFull) return "turn";
      return this.#reader.arrival.request?.reservation?.isWaiting === true ? "budget" : "nothing";
    }
    const isOver = this.#phase === "lingering" && !this.#output.isBlocked;
    return this.#ending.isTooMuch && !isOver ? "turn" : "nothing";
  }
}
