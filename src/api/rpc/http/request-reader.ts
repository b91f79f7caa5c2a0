import { Arrival } from "./arrival.ts";
import { SHORT_BODY_BYTES } from "./body-place.ts";
import type { BodyRoom } from "./body-room.ts";
import type { Caller } from "../limits/caller.ts";
import { IncomingRequest } from "./incoming.ts";
import { type RequestHead, RequestParser } from "./parser.ts";
import { RequestBytes } from "./request-bytes.ts";

/** Longest head of a request in bytes. */
const MAX_HEAD_BYTES = 16_384;

/** Who works with the requests of a connection. */
export interface ReaderEvents {
  /** A head is read; the body follows. A request with a refusal is the last one that is looked at. */
  headRead(request: IncomingRequest): void;
  /** The client may wait for this before it sends a body. */
  sendContinue(): void;
  /** There is room for the body that is arriving. */
  roomGranted(): void;
  /** The body came too slowly while others waited. */
  evicted(request: IncomingRequest): void;
}

/** Makes requests of the bytes of a connection; long bodies take their place in the room. */
export class RequestReader {
  /** What arrives now. */
  readonly arrival: Arrival = new Arrival();
  readonly #events: ReaderEvents;
  readonly #caller: Caller;
  readonly #room: BodyRoom;
  readonly #bytes: RequestBytes;
  #isEnded = false;

  constructor(events: ReaderEvents, caller: Caller, room: BodyRoom) {
    this.#events = events;
    this.#caller = caller;
    this.#room = room;
    const parserEvents = {
      begun: () => this.arrival.begin(performance.now()),
      headRead: (head: RequestHead) => {
        if (this.#isEnded) return;
        const sendContinue = () => events.sendContinue();
        const request = new IncomingRequest(head, sendContinue, this.#caller);
        this.arrival.headRead(request);
        events.headRead(request);
        this.#enterRoom(request);
      },
      bodyRead: (bytes: Uint8Array) => {
        const { request } = this.arrival;
        if (request === undefined) return;
        request.add(bytes);
        this.#enterRoom(request);
      },
      ended: () => {
        this.arrival.request?.end();
        this.arrival.end();
      },
    };
    this.#bytes = new RequestBytes(new RequestParser(parserEvents, MAX_HEAD_BYTES));
  }

  /** Whether bytes have arrived that were not looked at. */
  get hasUnread(): boolean {
    return this.#bytes.hasUnread;
  }

  add(bytes: Uint8Array): void {
    this.#bytes.add(bytes);
  }

  /**
   * Looks at the next bytes, if there are any.
   *
   * @returns the code of the parser's error, as {@link RequestParser.read}
   */
  readNext(): string | undefined {
    return this.#bytes.readNext(this.arrival.request?.missingBytes ?? 0);
  }

  /** Whether there is something for {@link readNext}. */
  get hasNext(): boolean {
    return !this.#bytes.isEmpty;
  }

  /** Nothing more is looked at. */
  end(): void {
    this.#isEnded = true;
  }

  /** Forgets what has arrived and was not looked at. @returns how many bytes */
  clear(): number {
    return this.#bytes.clear();
  }

  #enterRoom(request: IncomingRequest): void {
    const { bodyBytes, place, isDiscarded, announcedBytes, refusal } = request;
    const isUnwanted = this.#isEnded || isDiscarded || refusal !== undefined;
    if (place !== undefined || isUnwanted || bodyBytes <= SHORT_BODY_BYTES) return;
    const visitor = {
      address: this.#caller.address,
      granted: () => this.#events.roomGranted(),
      evicted: () => this.#events.evicted(request),
    };
    request.place = this.#room.enter(visitor, announcedBytes);
    request.place.add(request.arrivedBytes);
  }
}
