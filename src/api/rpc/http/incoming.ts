import type { HttpReply, HttpRequest } from "./message.ts";
import type { BodyReservation } from "./body-reservation.ts";
import { type BodyPart, RequestBody } from "./request-body.ts";
import type { RequestHead } from "./request-head.ts";
import type { Caller } from "../limits/caller.ts";

/** Maximum bytes of a discarded body that are read to reach the next request. */
const MAX_REST_BYTES = 65_536;

/** Remaining use of a request's body. */
type BodyState = "kept" | "read" | "discarded";

/** Request of a connection: its head, and its body as it arrives. */
export class IncomingRequest implements HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: HttpRequest["headers"];
  readonly keepsAlive: boolean;
  readonly caller: Caller;
  /** Whether it is HTTP/1.0, where `keep-alive` must be requested explicitly. */
  readonly isOld: boolean;
  /** Length of the body; `undefined` if not announced. */
  readonly announcedBytes: number | undefined;
  /** Replaces the response: the request is refused when its turn comes, and the connection ends. */
  refusal: HttpReply | undefined;
  /** Reservation in the body budget; only for long bodies. */
  reservation: BodyReservation | undefined;
  readonly #head: RequestHead;
  readonly #sendContinue: () => void;
  #parts: BodyPart[] = [];
  #size = 0;
  #maxBytes = 0;
  #state: BodyState = "kept";
  #isWhole = false;
  #isContinued = false;
  /** The body was handed to its consumer, and counts until {@link release}. */
  #isConsumed = false;
  #resolve: ((body: RequestBody | undefined) => void) | undefined;

  /**
   * @param sendContinue - sends `100 Continue` to a client that expects it
   * @param caller - client that waits for the response
   */
  constructor(head: RequestHead, sendContinue: () => void, caller: Caller) {
    this.caller = caller;
    this.#head = head;
    this.method = head.method;
    this.url = head.url;
    this.headers = head;
    this.keepsAlive = head.keepsAlive;
    this.isOld = head.isOld;
    this.announcedBytes = head.announcedBytes;
    this.refusal = head.refusal;
    this.#sendContinue = sendContinue;
  }

  /** Known length of the body: as announced, otherwise the bytes that have arrived. */
  get bodyBytes(): number {
    return Math.max(this.#size, this.announcedBytes ?? 0);
  }

  /** Bytes still to come of a body with an announced length; 0 for others. */
  get missingBytes(): number {
    return Math.max(0, (this.announcedBytes ?? 0) - this.#size);
  }

  /** Memory that the head takes while it is kept. */
  get headBytes(): number {
    return this.#head.sizeBytes;
  }

  get isDiscarded(): boolean {
    return this.#state === "discarded";
  }

  /**
   * Whether the rest of the body is short and certain to arrive. A client that waits for `100 Continue` may
   * or may not send its body.
   */
  get isSoonRead(): boolean {
    if (this.announcedBytes === undefined || this.missingBytes > MAX_REST_BYTES) return false;
    return this.#isContinued || this.#size > 0 || this.#head.expectation === null;
  }

  get arrivedBytes(): number {
    return this.#size;
  }

  release(): void {
    this.reservation?.release();
  }

  /** Buffered bytes of a body that no handler has requested yet. */
  get keptBytes(): number {
    return this.#state === "kept" ? this.#size : 0;
  }

  readBody(maxBytes: number): RequestBody | undefined | Promise<RequestBody | undefined> {
    if (this.bodyBytes > maxBytes || this.#state === "discarded") return undefined;
    this.#state = "read";
    if (this.#isWhole) return this.#body();
    this.#maxBytes = maxBytes;
    if (this.#size === 0 && this.#head.expectation !== null) {
      this.#isContinued = true;
      this.#sendContinue();
    }
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Adds a part of the body: the range `from` to `to` of `bytes`. */
  add(bytes: Buffer, from: number, to: number): void {
    this.#size += to - from;
    if (this.#state === "discarded") return;
    this.reservation?.add(to - from);
    if (this.#state === "read" && this.#size > this.#maxBytes) this.discard();
    else this.#parts.push({ bytes, from, to });
  }

  end(): void {
    this.#isWhole = true;
    if (this.#state === "read") this.#settle(this.#body());
  }

  /** Replaces the response to this request, whatever its handler returns. */
  refuse(reply: HttpReply): void {
    this.refusal = reply;
    this.discard();
  }

  /**
   * Ignores the rest of the body; a pending read resolves to `undefined`. A consumer that already has the
   * body keeps it, even if the client has disconnected: it counts until {@link release}.
   */
  discard(): void {
    this.#state = "discarded";
    this.#parts = [];
    if (!this.#isConsumed) this.release();
    this.#settle(undefined);
  }

  #body(): RequestBody {
    this.reservation?.consume();
    this.#isConsumed = true;
    const body = new RequestBody(this.#parts);
    this.#parts = [];
    return body;
  }

  #settle(body: RequestBody | undefined): void {
    this.#resolve?.(body);
    this.#resolve = undefined;
  }
}
