import { errorReply, type HttpReply, type HttpRequest, rawReply } from "./message.ts";
import type { BodyReservation } from "./body-reservation.ts";
import { hasFaultyFraming } from "./framing.ts";
import type { RequestHead } from "./parser.ts";
import { invalidRequest } from "../json-rpc.ts";
import type { Caller } from "../limits/caller.ts";

const CLOSE = { connection: "close" } as const;
const NO_HOST = errorReply(invalidRequest("expected one Host header"), 400, CLOSE);
const UNKNOWN_EXPECTATION = errorReply(invalidRequest("expect: expected 100-continue"), 417, CLOSE);

/** So much of a body that nobody wants is read, in order to go on with the next request. */
const MAX_REST_BYTES = 65_536;

/** Most fields of a head: each takes many times its bytes. */
const MAX_FIELDS = 256;

/** What the strings of a head take beside their characters. */
const STRING_BYTES = 32;

/** What the body of a request may still need. */
type BodyState = "kept" | "read" | "discarded";

/** A request of a connection: its head, and its body as it arrives. */
export class IncomingRequest implements HttpRequest {
  readonly method: string;
  readonly url: string;
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
  readonly #rawHeaders: readonly string[];
  readonly #sendContinue: () => void;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;
  #maxBytes = 0;
  #state: BodyState = "kept";
  #isWhole = false;
  #isContinued = false;
  #resolve: ((body: Uint8Array | undefined) => void) | undefined;

  /**
   * @param sendContinue - tells a client that waits for it that the body is wanted
   * @param caller - who waits for the answer
   */
  constructor(head: RequestHead, sendContinue: () => void, caller: Caller) {
    const [major, minor] = head.version;
    this.caller = caller;
    this.method = head.method;
    this.url = head.url;
    this.keepsAlive = head.keepsAlive;
    this.isOld = minor === 0;
    this.#rawHeaders = head.rawHeaders;
    this.#sendContinue = sendContinue;
    const length = this.headers.get("content-length");
    this.announcedBytes = length === null ? undefined : Number(length);
    this.refusal = major === 1 ? this.#refusal() : rawReply(505);
  }

  /** @returns the values of all fields of this name, with commas (RFC 9110, section 5.3) */
  readonly headers = {
    get: (name: string): string | null => {
      const raw = this.#rawHeaders;
      let found: string | null = null;
      for (let i = 0; i + 1 < raw.length; i += 2) {
        const given = raw[i] as string;
        if (given.length !== name.length) continue;
        if (given !== name && given.toLowerCase() !== name.toLowerCase()) continue;
        found = found === null ? (raw[i + 1] as string) : `${found}, ${raw[i + 1]}`;
      }
      return found;
    },
  };

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
    let bytes = this.url.length + 2 * STRING_BYTES;
    for (const { length } of this.#rawHeaders) bytes += length + STRING_BYTES;
    return bytes;
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
    return this.#isContinued || this.#size > 0 || this.#expectation() === null;
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

  readBody(maxBytes: number): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    if (this.bodyBytes > maxBytes || this.#state === "discarded") return undefined;
    this.#state = "read";
    if (this.#isWhole) return this.#body();
    this.#maxBytes = maxBytes;
    if (this.#size === 0 && this.#expectation() !== null) {
      this.#isContinued = true;
      this.#sendContinue();
    }
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Takes a part of the body. */
  add(bytes: Uint8Array): void {
    this.#size += bytes.byteLength;
    if (this.#state === "discarded") return;
    this.reservation?.add(bytes.byteLength);
    if (this.#state === "read" && this.#size > this.#maxBytes) this.discard();
    else this.#chunks.push(bytes);
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

  /** Nobody will read what is left of the body; whoever waits for it learns that there is none. */
  discard(): void {
    this.#state = "discarded";
    this.#chunks.length = 0;
    this.release();
    this.#settle(undefined);
  }

  #body(): Uint8Array {
    this.reservation?.taken();
    const [only] = this.#chunks;
    return this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks);
  }

  #settle(body: Uint8Array | undefined): void {
    this.#resolve?.(body);
    this.#resolve = undefined;
  }

  #expectation(): string | null {
    return this.isOld ? null : this.headers.get("expect");
  }

  #refusal(): HttpReply | undefined {
    if (this.#rawHeaders.length > 2 * MAX_FIELDS) return rawReply(431);
    if (hasFaultyFraming(this.headers, this.isOld)) return rawReply(400);
    let hosts = 0;
    for (let i = 0; i < this.#rawHeaders.length; i += 2) {
      const name = this.#rawHeaders[i] as string;
      if (name.length === 4 && name.toLowerCase() === "host") hosts++;
    }
    // RFC 9112, section 3.2: every HTTP/1.1 request names its host, and none names two.
    if (hosts > 1 || (hosts === 0 && !this.isOld)) return NO_HOST;
    if (this.method === "CONNECT") return rawReply(405);
    const expectation = this.#expectation();
    return expectation === null || expectation.toLowerCase() === "100-continue"
      ? undefined
      : UNKNOWN_EXPECTATION;
  }
}
