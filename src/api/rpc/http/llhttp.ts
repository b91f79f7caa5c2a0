import { invariant } from "#base/errors/index.ts";

/** Receives parser events in the order of the bytes; must not throw. */
export interface LlhttpListener {
  /** First byte of a request. */
  began(): void;
  /** Part of the request target. Return `false` to stop parsing. */
  target(part: string): boolean;
  /** Part of a header name. Return `false` to stop parsing. */
  name(part: string): boolean;
  /**
   * Part of a header value, trailing whitespace included; called at least once per header. Return `false` to
   * stop parsing.
   */
  value(part: string): boolean;
  headEnded(method: string, major: number, minor: number, keepsAlive: boolean): void;
  /** Part of the body: the range `from` to `to` of `bytes`. */
  body(bytes: Buffer, from: number, to: number): void;
  ended(): void;
}

/** Progress of a parser after a read. */
export interface LlhttpProgress {
  /** Name of llhttp's error, `HPE_...`: the connection cannot be parsed further. */
  readonly error: string | undefined;
  /** Bytes read after the last ones that any event covered. */
  readonly unreportedBytes: number;
}

interface LlhttpExports {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  malloc(bytes: number): number;
  llhttp_alloc(type: number): number;
  llhttp_free(parser: number): void;
  llhttp_errno_name(code: number): number;
  llhttp_execute(parser: number, from: number, bytes: number): number;
  llhttp_get_error_pos(parser: number): number;
  llhttp_get_http_major(parser: number): number;
  llhttp_get_http_minor(parser: number): number;
  llhttp_get_method(parser: number): number;
  llhttp_method_name(method: number): number;
  llhttp_resume_after_upgrade(parser: number): void;
}

/** Maximum bytes parsed per call: as many as the runtime delivers from a socket at a time. */
const WINDOW_BYTES = 524_288;

/** `HTTP_REQUEST` and `HPE_PAUSED_UPGRADE` of llhttp.h. */
const REQUEST = 1;
const PAUSED_UPGRADE = 22;

/**
 * llhttp, the HTTP parser of Node: strict, with all leniency flags off. One instance serves all connections
 * of a thread in turn; each has its own parser object in the instance's memory.
 *
 * The build comes from the package undici, which does not document that file: its exact version is pinned,
 * and the tests of hostile requests show whether another version works. llhttp itself is not published in a
 * form that runs in JavaScript; docs/http.md lists the alternatives that were tried.
 */
export class Llhttp {
  readonly #exports: LlhttpExports;
  /** Address of the input window in WebAssembly memory, its view, and the bytes being parsed. */
  readonly #from: number;
  #window: Uint8Array;
  #bytes: Buffer = Buffer.alloc(0);
  #listener: LlhttpListener | undefined;
  /** Method names by llhttp's number, filled on demand. */
  readonly #methodNames: string[] = [];
  /** End of the last bytes that an event covered, relative to the bytes being parsed. */
  #reportedTo = 0;

  constructor() {
    this.#exports = this.#instantiate();
    this.#exports._initialize();
    this.#from = this.#exports.malloc(WINDOW_BYTES);
    this.#window = this.#view();
  }

  /** @returns a new parser, to be released with {@link close} */
  open(): number {
    const parser = this.#exports.llhttp_alloc(REQUEST);
    invariant(parser !== 0, "llhttp has no memory for a parser");
    return parser;
  }

  /** Releases a parser. Must not be called while it reads. */
  close(parser: number): void {
    this.#exports.llhttp_free(parser);
  }

  /**
   * Parses the next bytes of a connection. Must not be called by its listener, nor after an error.
   *
   * @param unreportedBytes - result of the previous read of this parser
   */
  read(
    parser: number,
    bytes: Uint8Array,
    listener: LlhttpListener,
    unreportedBytes: number,
  ): LlhttpProgress {
    invariant(this.#listener === undefined, "llhttp reads one connection at a time");
    this.#listener = listener;
    try {
      let unreported = unreportedBytes;
      for (let at = 0; at < bytes.byteLength;) {
        const length = Math.min(bytes.byteLength - at, WINDOW_BYTES);
        this.#bytes = partOf(bytes, at, length);
        this.#reportedTo = -unreported;
        const code = this.#execute(parser);
        const isUpgrade = code === PAUSED_UPGRADE;
        if (code !== 0 && !isUpgrade)
          return { error: this.#nameAt(this.#exports.llhttp_errno_name(code)), unreportedBytes: 0 };
        const read = isUpgrade ? this.#exports.llhttp_get_error_pos(parser) - this.#from : length;
        unreported = read - this.#reportedTo;
        at += read;
        // RFC 9110, section 7.8: a server that does not switch protocols ignores the `Upgrade` field.
        if (isUpgrade) this.#exports.llhttp_resume_after_upgrade(parser);
      }
      return { error: undefined, unreportedBytes: unreported };
    } finally {
      this.#listener = undefined;
    }
  }

  #execute(parser: number): number {
    // Growing the memory detaches the old buffer.
    if (this.#window.byteLength === 0) this.#window = this.#view();
    this.#window.set(this.#bytes);
    return this.#exports.llhttp_execute(parser, this.#from, this.#bytes.byteLength);
  }

  #view(): Uint8Array {
    return new Uint8Array(this.#exports.memory.buffer, this.#from, WINDOW_BYTES);
  }

  #text(from: number, length: number): string {
    const at = from - this.#from;
    this.#reportedTo = at + length;
    return this.#bytes.toString("latin1", at, at + length);
  }

  #methodName(method: number): string {
    return (this.#methodNames[method] ??= this.#nameAt(this.#exports.llhttp_method_name(method)));
  }

  /** Reads a zero-terminated name from llhttp's memory. */
  #nameAt(from: number): string {
    const bytes = new Uint8Array(this.#exports.memory.buffer, from);
    return Buffer.from(bytes.subarray(0, bytes.indexOf(0))).toString("latin1");
  }

  #instantiate(): LlhttpExports {
    const resultOf = (isWanted: boolean | undefined): number => (isWanted === false ? -1 : 0);
    const env = {
      wasm_on_message_begin: () => this.#listener?.began() ?? 0,
      wasm_on_url: (_: number, from: number, length: number) =>
        resultOf(this.#listener?.target(this.#text(from, length))),
      wasm_on_status: () => 0,
      wasm_on_header_field: (_: number, from: number, length: number) =>
        resultOf(this.#listener?.name(this.#text(from, length))),
      wasm_on_header_value: (_: number, from: number, length: number) =>
        resultOf(this.#listener?.value(this.#text(from, length))),
      wasm_on_headers_complete: (
        parser: number,
        _status: number,
        _upgrade: number,
        keepsAlive: number,
      ) => {
        const { llhttp_get_http_major, llhttp_get_http_minor, llhttp_get_method } = this.#exports;
        this.#listener?.headEnded(
          this.#methodName(llhttp_get_method(parser)),
          llhttp_get_http_major(parser),
          llhttp_get_http_minor(parser),
          keepsAlive === 1,
        );
        return 0;
      },
      wasm_on_body: (_: number, from: number, length: number) => {
        const at = from - this.#from;
        this.#reportedTo = at + length;
        this.#listener?.body(this.#bytes, at, at + length);
        return 0;
      },
      wasm_on_message_complete: () => this.#listener?.ended() ?? 0,
    };
    const module = new WebAssembly.Module(moduleBytes());
    return new WebAssembly.Instance(module, { env }).exports as unknown as LlhttpExports;
  }
}

/** Returns a view of the same memory without copying; most bytes arrive whole and already as a `Buffer`. */
function partOf(bytes: Uint8Array, at: number, length: number): Buffer {
  if (at === 0 && length === bytes.byteLength && bytes instanceof Buffer) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset + at, length);
}

/**
 * Loads the bytes of the module. An `import` would turn each byte into a property of an ES module, which
 * takes 50 MiB.
 */
function moduleBytes(): Uint8Array<ArrayBuffer> {
  return require("undici/lib/llhttp/llhttp-wasm.js") as Uint8Array<ArrayBuffer>;
}

let shared: Llhttp | undefined;

/** Returns the instance of this thread, created on first use. */
export function sharedLlhttp(): Llhttp {
  return (shared ??= new Llhttp());
}
