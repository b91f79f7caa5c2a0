import { type LlhttpListener, sharedLlhttp } from "./llhttp.ts";

/** What is known of a request before its body. */
export interface RequestHead {
  readonly method: string;
  /** As the request line has it. */
  readonly url: string;
  /** Names, as they were written, and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly version: readonly [major: number, minor: number];
  /** Whether the client would send another request over the same connection. */
  readonly keepsAlive: boolean;
}

/** Who hears of the requests in the bytes of a connection; must not throw. */
export interface RequestEvents {
  /** The first byte of a request. */
  begun(): void;
  headRead(head: RequestHead): void;
  bodyRead(bytes: Uint8Array): void;
  ended(): void;
}

const HEAD_OVERFLOW = "HPE_HEADER_OVERFLOW";

/** llhttp itself reads extensions of chunks, and blanks before a value, without end. */
const CHUNK_OVERFLOW = "HPE_CHUNK_EXTENSIONS_OVERFLOW";

/** Finds the requests in the bytes of one connection (RFC 9112), strictly. */
export class RequestParser {
  readonly #llhttp = sharedLlhttp();
  readonly #listener: LlhttpListener;
  readonly #maxHeadBytes: number;
  /** `undefined` once it is given back. */
  #parser: number | undefined = this.#llhttp.open();
  #isReading = false;
  #isClosed = false;
  /** Whether a head is read, or what is before it. */
  #isHead = true;
  /** What the target, the names and the values of this head take, or those of the trailers. */
  #fieldBytes = 0;
  #untoldBytes = 0;

  /** @param maxHeadBytes - longest head of a request; also of its trailers, and of what says nothing */
  constructor(events: RequestEvents, maxHeadBytes: number) {
    this.#maxHeadBytes = maxHeadBytes;
    this.#listener = this.#listenFor(events);
  }

  /**
   * Reads the next bytes of the connection. Not to be called from an event, nor after an error.
   *
   * @returns the code of the parser's error (`HPE_...`) when they are no HTTP
   */
  read(bytes: Uint8Array): string | undefined {
    if (this.#parser === undefined) return undefined;
    this.#isReading = true;
    const progress = this.#llhttp.read(this.#parser, bytes, this.#listener, this.#untoldBytes);
    this.#isReading = false;
    if (this.#isClosed) this.#free();
    if (this.#fieldBytes >= this.#maxHeadBytes) return HEAD_OVERFLOW;
    if (progress.error !== undefined) return progress.error;
    this.#untoldBytes = progress.untoldBytes;
    if (this.#untoldBytes <= this.#maxHeadBytes) return undefined;
    return this.#isHead ? HEAD_OVERFLOW : CHUNK_OVERFLOW;
  }

  /** Gives back what it takes; reads nothing more. May be called from an event, and again. */
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
      // Trailers come this way too and are not kept.
      if (this.#isHead && isOfValue === isValue && fields.length > 0) {
        fields[fields.length - 1] += part;
      } else if (this.#isHead) fields.push(part);
      isValue = isOfValue;
      return this.#count(part);
    };
    return {
      begun: () => {
        this.#fieldBytes = 0;
        [url, fields, isValue] = ["", [], false];
        events.begun();
      },
      target: (part) => {
        url += part;
        return this.#count(part);
      },
      name: (part) => add(part, false),
      value: (part) => add(part, true),
      headEnded: (method, major, minor, keepsAlive) => {
        this.#isHead = false;
        this.#fieldBytes = 0;
        trimValues(fields);
        events.headRead({ method, url, rawHeaders: fields, version: [major, minor], keepsAlive });
      },
      body: (bytes) => events.bodyRead(bytes),
      ended: () => {
        this.#isHead = true;
        events.ended();
      },
    };
  }

  /** @returns whether there may be more */
  #count({ length }: string): boolean {
    this.#fieldBytes += length;
    return this.#fieldBytes < this.#maxHeadBytes;
  }
}

/** RFC 9112, section 5.1: blanks around a value are no part of it. llhttp leaves those behind it. */
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
