import { invariant } from "#base/errors/index.ts";

/** What llhttp tells of the bytes that it reads, in their order; must not throw. */
export interface LlhttpListener {
  /** The first byte of a request. */
  begun(): void;
  /** A part of the target; `false`: nothing more is to be read. */
  target(part: string): boolean;
  /** A part of the name of a field; `false`: nothing more is to be read. */
  name(part: string): boolean;
  /** A part of its value, with blanks behind it; there is one part at least. `false`: as above. */
  value(part: string): boolean;
  headEnded(method: string, major: number, minor: number, keepsAlive: boolean): void;
  /** Bytes `from` to `to` of these. */
  body(bytes: Buffer, from: number, to: number): void;
  ended(): void;
}

/** How far a parser came with what it was given. */
export interface LlhttpProgress {
  /** Name of llhttp's error, `HPE_...`: no more can be read. */
  readonly error: string | undefined;
  /** Bytes behind the last ones that anything was told of. */
  readonly untoldBytes: number;
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

/** Most bytes that are read at a time: as many as the runtime hands over of a socket. */
const WINDOW_BYTES = 524_288;

/** `HTTP_REQUEST` and `HPE_PAUSED_UPGRADE` of llhttp.h. */
const REQUEST = 1;
const PAUSED_UPGRADE = 22;

/**
 * llhttp, the parser of Node: strict, every leniency off. One instance reads for all connections of a
 * thread, one after the other, each with a parser of its own in its memory.
 *
 * It is the build of the package undici, whose file is none of its documented ones: the exact version is
 * pinned, and the tests of hostile requests say whether another one will do. llhttp itself is not published
 * in a form that JavaScript runs; docs/http.md has what else was tried.
 */
export class Llhttp {
  readonly #exports: LlhttpExports;
  /** Where the bytes lie that are read, and those bytes here. */
  readonly #from: number;
  #window: Uint8Array;
  #bytes: Buffer = Buffer.alloc(0);
  #listener: LlhttpListener | undefined;
  /** By number, as far as they were needed. */
  readonly #methodNames: string[] = [];
  /** Where what was told last ends, among the bytes. */
  #toldTo = 0;

  constructor() {
    this.#exports = this.#instantiate();
    this.#exports._initialize();
    this.#from = this.#exports.malloc(WINDOW_BYTES);
    this.#window = this.#view();
  }

  /** @returns a parser; to be given to {@link close} */
  open(): number {
    const parser = this.#exports.llhttp_alloc(REQUEST);
    invariant(parser !== 0, "llhttp has no memory for a parser");
    return parser;
  }

  /** Not to be called while the parser reads. */
  close(parser: number): void {
    this.#exports.llhttp_free(parser);
  }

  /**
   * Reads the next bytes of a parser. Not to be called by its listener, nor after an error.
   *
   * @param untoldBytes - as the progress with the bytes before has it
   */
  read(
    parser: number,
    bytes: Uint8Array,
    listener: LlhttpListener,
    untoldBytes: number,
  ): LlhttpProgress {
    invariant(this.#listener === undefined, "llhttp reads one connection at a time");
    this.#listener = listener;
    try {
      let untold = untoldBytes;
      for (let at = 0; at < bytes.byteLength;) {
        const length = Math.min(bytes.byteLength - at, WINDOW_BYTES);
        this.#bytes = partOf(bytes, at, length);
        this.#toldTo = -untold;
        const code = this.#execute(parser);
        const isUpgrade = code === PAUSED_UPGRADE;
        if (code !== 0 && !isUpgrade)
          return { error: this.#nameAt(this.#exports.llhttp_errno_name(code)), untoldBytes: 0 };
        const read = isUpgrade ? this.#exports.llhttp_get_error_pos(parser) - this.#from : length;
        untold = read - this.#toldTo;
        at += read;
        // RFC 9110, section 7.8: who does not switch reads on as if the field were not there.
        if (isUpgrade) this.#exports.llhttp_resume_after_upgrade(parser);
      }
      return { error: undefined, untoldBytes: untold };
    } finally {
      this.#listener = undefined;
    }
  }

  #execute(parser: number): number {
    // Memory that has grown is another buffer.
    if (this.#window.byteLength === 0) this.#window = this.#view();
    this.#window.set(this.#bytes);
    return this.#exports.llhttp_execute(parser, this.#from, this.#bytes.byteLength);
  }

  #view(): Uint8Array {
    return new Uint8Array(this.#exports.memory.buffer, this.#from, WINDOW_BYTES);
  }

  #text(from: number, length: number): string {
    const at = from - this.#from;
    this.#toldTo = at + length;
    return this.#bytes.toString("latin1", at, at + length);
  }

  #methodName(method: number): string {
    return (this.#methodNames[method] ??= this.#nameAt(this.#exports.llhttp_method_name(method)));
  }

  /** A name that llhttp has in its memory, which ends with a zero. */
  #nameAt(from: number): string {
    const bytes = new Uint8Array(this.#exports.memory.buffer, from);
    return Buffer.from(bytes.subarray(0, bytes.indexOf(0))).toString("latin1");
  }

  #instantiate(): LlhttpExports {
    const told = (isWanted: boolean | undefined): number => (isWanted === false ? -1 : 0);
    const env = {
      wasm_on_message_begin: () => this.#listener?.begun() ?? 0,
      wasm_on_url: (_: number, from: number, length: number) =>
        told(this.#listener?.target(this.#text(from, length))),
      wasm_on_status: () => 0,
      wasm_on_header_field: (_: number, from: number, length: number) =>
        told(this.#listener?.name(this.#text(from, length))),
      wasm_on_header_value: (_: number, from: number, length: number) =>
        told(this.#listener?.value(this.#text(from, length))),
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
        this.#toldTo = at + length;
        this.#listener?.body(this.#bytes, at, at + length);
        return 0;
      },
      wasm_on_message_complete: () => this.#listener?.ended() ?? 0,
    };
    const module = new WebAssembly.Module(moduleBytes());
    return new WebAssembly.Instance(module, { env }).exports as unknown as LlhttpExports;
  }
}

/** The same memory; most bytes come whole, and as the runtime's own type. */
function partOf(bytes: Uint8Array, at: number, length: number): Buffer {
  if (at === 0 && length === bytes.byteLength && bytes instanceof Buffer) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset + at, length);
}

/**
 * The bytes of the module. An `import` of them would make a property of an ES module of each of them, which
 * takes 50 MiB.
 */
function moduleBytes(): Uint8Array<ArrayBuffer> {
  return require("undici/lib/llhttp/llhttp-wasm.js") as Uint8Array<ArrayBuffer>;
}

let shared: Llhttp | undefined;

/** The instance of this thread, made when it is needed first. */
export function sharedLlhttp(): Llhttp {
  return (shared ??= new Llhttp());
}
