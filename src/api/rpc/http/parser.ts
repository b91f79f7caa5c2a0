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

/** The runtime's binding of llhttp, the parser below `node:http`: see Node's `_http_common`. */
interface NativeParser {
  [callback: number]: (...values: never[]) => number | void;
  initialize(type: number, resource: object, maxHeaderBytes: number, leniency: number): void;
  /** @returns how many bytes were read, or why no more can be */
  execute(bytes: Uint8Array): number | Error;
}

interface NativeHttp {
  /** By number. */
  readonly methods: readonly string[];
  readonly HTTPParser: {
    new (): NativeParser;
    readonly REQUEST: number;
    readonly kLenientNone: number;
    readonly kOnMessageBegin: number;
    readonly kOnHeaders: number;
    readonly kOnHeadersComplete: number;
    readonly kOnBody: number;
    readonly kOnMessageComplete: number;
  };
}

const native = process.getBuiltinModule("node:_http_common") as unknown as NativeHttp;
const { HTTPParser } = native;

/** Finds the requests in the bytes of one connection (RFC 9112), strictly. */
export class RequestParser {
  readonly #parser: NativeParser;
  #hasUnread = false;

  /** @param maxHeadBytes - longest head of a request */
  constructor(events: RequestEvents, maxHeadBytes: number) {
    const parser = new HTTPParser();
    parser.initialize(HTTPParser.REQUEST, {}, maxHeadBytes, HTTPParser.kLenientNone);
    /** Of a head that is handed over in parts; trailers come this way too and are not kept. */
    let headers: string[] = [];
    let url = "";
    let isHead = false;
    parser[HTTPParser.kOnMessageBegin] = () => {
      headers = [];
      url = "";
      isHead = true;
      events.begun();
    };
    parser[HTTPParser.kOnHeaders] = (part: string[], urlPart: string) => {
      if (!isHead) return;
      headers.push(...part);
      url += urlPart;
    };
    parser[HTTPParser.kOnHeadersComplete] = (
      major: number,
      minor: number,
      rawHeaders: string[] | undefined,
      method: number,
      wholeUrl: string | undefined,
      _status: unknown,
      _statusText: unknown,
      _upgrade: boolean,
      keepsAlive: boolean,
    ) => {
      isHead = false;
      events.headRead({
        method: native.methods[method] ?? "",
        url: wholeUrl ?? url,
        rawHeaders: rawHeaders ?? headers,
        version: [major, minor],
        keepsAlive,
      });
      return 0;
    };
    parser[HTTPParser.kOnBody] = (bytes: Uint8Array) => events.bodyRead(bytes);
    parser[HTTPParser.kOnMessageComplete] = () => events.ended();
    this.#parser = parser;
  }

  /** Whether there were bytes behind a request for another protocol, which are not read. */
  get hasUnread(): boolean {
    return this.#hasUnread;
  }

  /**
   * Reads the next bytes of the connection. Not to be called from an event, nor after an error.
   *
   * @returns the code of the parser's error (`HPE_...`) when they are no HTTP
   */
  read(bytes: Uint8Array): string | undefined {
    let rest = bytes;
    while (rest.byteLength > 0) {
      const read = this.#parser.execute(rest);
      if (typeof read !== "number") return (read as NodeJS.ErrnoException).code ?? "HPE_UNKNOWN";
      if (read >= rest.byteLength) return undefined;
      // It stops behind a request for another protocol.
      if (read === 0) {
        this.#hasUnread = true;
        return undefined;
      }
      rest = rest.subarray(read);
    }
    return undefined;
  }
}
