import { Arrival } from "./arrival.ts";
import { SHORT_BODY_BYTES } from "./body-reservation.ts";
import type { BodyBudget } from "./body-budget.ts";
import type { Caller } from "../limits/caller.ts";
import { IncomingRequest } from "./incoming.ts";
import type { KnownHeads } from "./known-heads.ts";
import { RequestParser } from "./parser.ts";
import { RequestBytes } from "./request-bytes.ts";
import type { RequestHead } from "./request-head.ts";

const MAX_HEAD_BYTES = 16_384;

/** Receives the requests of a connection. */
export interface ReaderEvents {
  /** A head is parsed; its body follows. Nothing is parsed after a request with a refusal. */
  headRead(request: IncomingRequest): void;
  /** The client may wait for `100 Continue` before it sends a body. */
  sendContinue(): void;
  /** The arriving body may continue. */
  budgetGranted(): void;
  /** The body arrived too slowly while others waited. */
  evicted(request: IncomingRequest): void;
}

/** Turns the bytes of a connection into requests; long bodies reserve their bytes in the budget. */
export class RequestReader {
  readonly arrival: Arrival = new Arrival();
  readonly #events: ReaderEvents;
  readonly #caller: Caller;
  readonly #budget: BodyBudget;
  readonly #parser: RequestParser;
  readonly #bytes: RequestBytes;
  #isEnded = false;

  /** @param known - cache of heads, shared by all connections of a listener */
  constructor(events: ReaderEvents, caller: Caller, budget: BodyBudget, known: KnownHeads) {
    this.#events = events;
    this.#caller = caller;
    this.#budget = budget;
    const parserEvents = {
      began: () => this.arrival.begin(performance.now()),
      headRead: (head: RequestHead) => {
        if (this.#isEnded) return;
        const sendContinue = () => events.sendContinue();
        const request = new IncomingRequest(head, sendContinue, this.#caller);
        this.arrival.headRead(request);
        events.headRead(request);
        this.#reserve(request);
      },
      bodyRead: (bytes: Buffer, from: number, to: number) => {
        const { request } = this.arrival;
        if (request === undefined) return;
        request.add(bytes, from, to);
        this.#reserve(request);
      },
      ended: () => {
        this.arrival.request?.end();
        this.arrival.end();
      },
    };
    this.#parser = new RequestParser(parserEvents, MAX_HEAD_BYTES, known);
    this.#bytes = new RequestBytes(this.#parser);
  }

  add(bytes: Uint8Array): void {
    this.#bytes.add(bytes);
  }

  /**
   * Parses the next bytes, if there are any.
   *
   * @returns the parser's error code, as {@link RequestParser.read}
   */
  readNext(): string | undefined {
    return this.#bytes.readNext(this.arrival.request?.missingBytes ?? 0);
  }

  /** Whether there are bytes for {@link readNext}. */
  get hasNext(): boolean {
    return !this.#bytes.isEmpty;
  }

  get unreadBytes(): number {
    return this.#bytes.sizeBytes;
  }

  /** Ignores all later requests. */
  end(): void {
    this.#isEnded = true;
  }

  /** Discards unparsed bytes. @returns how many there were */
  clear(): number {
    return this.#bytes.clear();
  }

  /** Discards unparsed bytes and releases the parser: the connection is closed. */
  close(): void {
    this.#bytes.clear();
    this.#parser.close();
    this.arrival.request?.discard();
    this.arrival.end();
  }

  #reserve(request: IncomingRequest): void {
    const { bodyBytes, reservation, isDiscarded, announcedBytes, refusal } = request;
    const isUnwanted = this.#isEnded || isDiscarded || refusal !== undefined;
    if (reservation !== undefined || isUnwanted || bodyBytes <= SHORT_BODY_BYTES) return;
    const holder = {
      client: this.#caller,
      granted: () => this.#events.budgetGranted(),
      evicted: () => this.#events.evicted(request),
    };
    request.reservation = this.#budget.reserve(holder, announcedBytes);
    request.reservation.add(request.arrivedBytes);
  }
}
