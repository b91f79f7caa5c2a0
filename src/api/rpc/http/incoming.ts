import type { HttpReply, HttpRequest } from "./message.ts";
import type { BodyReservation } from "./body-reservation.ts";
import { type BodyPart, RequestBody } from "./request-body.ts";
import type { RequestHead } from "./request-head.ts";
import type { Caller } from "../limits/caller.ts";

/** So much of a body that nobody wants is read, in order to go on with the next request. */
const MAX_REST_BYTES = 65_536;

/** What the body of a request may still need. */
type BodyState = "kept" | "read" | "discarded";

/** A request of a connection: its head, and its body as it arrives. */
export class IncomingRequest implements HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: HttpRequest["headers"];
  readonly keepsAlive: boolean;
  readonly caller: Caller;
  /** HTTP/1.0, where staying connected has to be said. */
  readonly isOld: boolean;
  /** The length of the body where it is announced. */
  readonly announcedBytes: number | undefined;
  /** Stands for the answer: the request is refused in its turn, and the connection ends. */
  refusal: HttpReply | undefined;
  /** Of a long body. */
  reservation: BodyReservation | undefined;
  readonly #head: RequestHead;
  readonly #sendContinue: () => void;
  #parts: BodyPart[] = [];
  #size = 0;
  #maxBytes = 0;
  #state: BodyState = "kept";
  #isWhole = false;
  #isContinued = false;
  /** The body is in the hands of who reads it, and counts until {@link release}. */
  #isTaken = false;
  #resolve: ((body: RequestBody | undefined) => void) | undefined;

  /**
   * @param sendContinue - tells a client that waits for it that the body is wanted
   * @param caller - who waits for the answer
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

  /** The length of the body as far as it is known: as it is announced, else what has arrived. */
  get bodyBytes(): number {
    return Math.max(this.#size, this.announcedBytes ?? 0);
  }

  /** What is still to come of a body whose length is announced. */
  get missingBytes(): number {
    return Math.max(0, (this.announcedBytes ?? 0) - this.#size);
  }

  /** What the head takes while it is kept. */
  get headBytes(): number {
    return this.#head.sizeBytes;
  }

  /** Whether nobody wants the body any more. */
  get isDiscarded(): boolean {
    return this.#state === "discarded";
  }

  /**
   * Whether what is missing of the body is little, and sure to come: a client that waits for
   * `100 Continue` may go on with or without it.
   */
  get isSoonRead(): boolean {
    if (this.announcedBytes === undefined || this.missingBytes > MAX_REST_BYTES) return false;
    return this.#isContinued || this.#size > 0 || this.#head.expectation === null;
  }

  /** Bytes of the body that have arrived. */
  get arrivedBytes(): number {
    return this.#size;
  }

  release(): void {
    this.reservation?.release();
  }

  /** Bytes of the body that nobody has asked for yet. */
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

  /** Takes a part of the body: bytes `from` to `to` of these. */
  add(bytes: Buffer, from: number, to: number): void {
    this.#size += to - from;
    if (this.#state === "discarded") return;
    this.reservation?.add(to - from);
    if (this.#state === "read" && this.#size > this.#maxBytes) this.discard();
    else this.#parts.push({ bytes, from, to });
  }

  /** The body is whole. */
  end(): void {
    this.#isWhole = true;
    if (this.#state === "read") this.#settle(this.#body());
  }

  /** The request is answered with this, whatever else would have been the answer. */
  refuse(reply: HttpReply): void {
    this.refusal = reply;
    this.discard();
  }

  /**
   * Nobody will read what is left of the body; whoever waits for it learns that there is none. Who has it
   * already keeps it, also for a client that has left: it counts until {@link release}.
   */
  discard(): void {
    this.#state = "discarded";
    this.#parts = [];
    if (!this.#isTaken) this.release();
    this.#settle(undefined);
  }

  #body(): RequestBody {
    this.reservation?.taken();
    this.#isTaken = true;
    const body = new RequestBody(this.#parts);
    this.#parts = [];
    return body;
  }

  #settle(body: RequestBody | undefined): void {
    this.#resolve?.(body);
    this.#resolve = undefined;
  }
}
