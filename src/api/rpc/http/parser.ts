import type { KnownHead, KnownHeads } from "./known-heads.ts";
import { type LlhttpListener, sharedLlhttp } from "./llhttp.ts";
import { bufferOf } from "./request-body.ts";
import { RequestHead } from "./request-head.ts";

/** Receives the requests found in the bytes of a connection; must not throw. */
export interface RequestEvents {
  /** First byte of a request. */
  began(): void;
  headRead(head: RequestHead): void;
  /** Part of the body: the range `from` to `to` of `bytes`. */
  bodyRead(bytes: Buffer, from: number, to: number): void;
  ended(): void;
}

const HEAD_OVERFLOW = "HPE_HEADER_OVERFLOW";

/** llhttp itself does not limit chunk extensions, nor blanks before a header value. */
const CHUNK_OVERFLOW = "HPE_CHUNK_EXTENSIONS_OVERFLOW";

/** Finds the requests in the bytes of one connection (RFC 9112), strictly. */
export class RequestParser {
  readonly #llhttp = sharedLlhttp();
  readonly #events: RequestEvents;
  readonly #listener: LlhttpListener;
  readonly #maxHeadBytes: number;
  readonly #known: KnownHeads;
  /** `undefined` once it is released. */
  #parser: number | undefined = this.#llhttp.open();
  #isReading = false;
  #isClosed = false;
  /** Whether the parser is in a head, or before one. */
  #isHead = true;
  #isBetween = true;
  #keepsAlive = true;
  /** Last head found in the cache. */
  #last: KnownHead | undefined;
  /** Bytes still to come of the body of a request with a cached head. */
  #missingBytes = 0;
  /** Bytes of the target, names and values of this head, or of the trailers. */
  #fieldBytes = 0;
  #unreportedBytes = 0;
  /** Events since the start of the current read. */
  #heads: RequestHead[] = [];
  #startedRequests = 0;
  #bodyBytes = 0;

  /**
   * @param maxHeadBytes - longest head of a request; also limits its trailers, and bytes without an event
   * @param known - cache of heads, shared by parsers with the same limit
   */
  constructor(events: RequestEvents, maxHeadBytes: number, known: KnownHeads) {
    this.#events = events;
    this.#maxHeadBytes = maxHeadBytes;
    this.#known = known;
    this.#listener = this.#listenFor(events);
  }

  /**
   * Parses the next bytes of the connection. Must not be called from an event, nor after an error.
   *
   * @returns the parser's error code (`HPE_...`) if the bytes are not valid HTTP
   */
  read(bytes: Uint8Array): string | undefined {
    if (this.#parser === undefined) return undefined;
    this.#isReading = true;
    const whole = bufferOf(bytes);
    const consumed = this.#readKnown(whole);
    const rest = consumed === 0 ? whole : whole.subarray(consumed);
    const error = rest.byteLength === 0 ? undefined : this.#parse(this.#parser, rest);
    this.#isReading = false;
    if (this.#isClosed) this.#free();
    return error;
  }

  /**
   * Reads requests with cached heads until one is not in the cache.
   *
   * @returns the number of bytes consumed
   */
  #readKnown(bytes: Buffer): number {
    const events = this.#events;
    let at = 0;
    while (at < bytes.byteLength) {
      if (this.#missingBytes === 0) {
        if (!this.#isBetween) return at;
        const known = this.#known.find(at === 0 ? bytes : bytes.subarray(at), this.#last);
        if (known === undefined) return at;
        this.#last = known;
        at += known.bytes.byteLength;
        this.#unreportedBytes = known.unreportedBytes;
        this.#missingBytes = known.head.announcedBytes ?? 0;
        events.began();
        events.headRead(known.head);
        if (this.#missingBytes === 0) events.ended();
        continue;
      }
      const to = Math.min(at + this.#missingBytes, bytes.byteLength);
      this.#missingBytes -= to - at;
      events.bodyRead(bytes, at, to);
      at = to;
      if (this.#missingBytes === 0) events.ended();
    }
    return at;
  }

  #parse(parser: number, bytes: Buffer): string | undefined {
    const wasBetween = this.#isBetween;
    [this.#heads, this.#startedRequests, this.#bodyBytes] = [[], 0, 0];
    const progress = this.#llhttp.read(parser, bytes, this.#listener, this.#unreportedBytes);
    if (this.#fieldBytes >= this.#maxHeadBytes) return HEAD_OVERFLOW;
    if (progress.error !== undefined) return progress.error;
    this.#unreportedBytes = progress.unreportedBytes;
    if (this.#unreportedBytes > this.#maxHeadBytes) {
      return this.#isHead ? HEAD_OVERFLOW : CHUNK_OVERFLOW;
    }
    const [head] = this.#heads;
    if (wasBetween && this.#startedRequests === 1 && head !== undefined) {
      this.#known.learn(head, bytes, this.#bodyBytes, this.#unreportedBytes);
    }
    return undefined;
  }

  /** Releases the parser; reads nothing from now on. Idempotent, and allowed from an event. */
  close(): void {
    this.#isClosed = true;
    if (!this.#isReading) this.#free();
  }

  #free(): void {
    if (this.#parser !== undefined) this.#llhttp.close(this.#parser);
    this.#parser = undefined;
  }

  #listenFor(events: RequestEvents): LlhttpListener {
    let url = "";
    let fields: string[] = [];
    let isValue = false;
    const add = (part: string, isOfValue: boolean): boolean => {
      // Trailers arrive this way too, and are discarded.
      if (this.#isHead && isOfValue === isValue && fields.length > 0) {
        fields[fields.length - 1] += part;
      } else if (this.#isHead) fields.push(part);
      isValue = isOfValue;
      return this.#count(part);
    };
    return {
      began: () => {
        this.#startedRequests++;
        this.#isBetween = false;
        this.#fieldBytes = 0;
        [url, fields, isValue] = ["", [], false];
        events.began();
      },
      target: (part) => {
        url += part;
        return this.#count(part);
      },
      name: (part) => add(part, false),
      value: (part) => add(part, true),
      headEnded: (method, major, minor, keepsAlive) => {
        this.#isHead = false;
        this.#keepsAlive = keepsAlive;
        this.#fieldBytes = 0;
        trimValues(fields);
        const version = [major, minor] as const;
        const head = new RequestHead({ method, url, rawHeaders: fields, version, keepsAlive });
        this.#heads.push(head);
        events.headRead(head);
      },
      body: (bytes, from, to) => {
        this.#bodyBytes += to - from;
        events.bodyRead(bytes, from, to);
      },
      ended: () => {
        this.#isHead = true;
        // Any byte after the last request of a connection is an error.
        this.#isBetween = this.#keepsAlive;
        events.ended();
      },
    };
  }

  /** @returns whether the head may continue */
  #count({ length }: string): boolean {
    this.#fieldBytes += length;
    return this.#fieldBytes < this.#maxHeadBytes;
  }
}

/** RFC 9112, section 5.1: whitespace around a value is not part of it. llhttp keeps the trailing part. */
function trimValues(fields: string[]): void {
  for (let i = 1; i < fields.length; i += 2) {
    const value = fields[i] as string;
    let end = value.length;
    while (end > 0 && isBlank(value.charCodeAt(end - 1))) end--;
    if (end < value.length) fields[i] = value.slice(0, end);
  }
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
