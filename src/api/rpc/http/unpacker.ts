import { gunzip, inflate, type InputType, type ZlibOptions } from "node:zlib";

/** How the runtime's zlib unpacks. */
export type Decompressor = (
  input: InputType,
  options: ZlibOptions & { maxOutputLength: number },
  done: (error: Error | null, output: Uint8Array) => void,
) => void;

/** Compressions that are unpacked, by their names in `Content-Encoding` (RFC 9110, section 8.4.1). */
export const DECOMPRESSORS: ReadonlyMap<string, Decompressor> = new Map([
  ["gzip", gunzip as Decompressor],
  ["x-gzip", gunzip as Decompressor],
  ["deflate", inflate as Decompressor],
]);

/** A body that is unpacked, or why it is not. */
export type Unpacking =
  | { readonly kind: "unpacked"; readonly bytes: Uint8Array; readonly done: () => void }
  | { readonly kind: "too long" | "broken" };

/** JSON is seldom packed more tightly: what comes to more times its bytes is unpacked one at a time. */
const USUAL_RATIO = 32;

/** What short bodies may come to, however tightly they are packed. */
const SHORT_BYTES = 65_536;

/** Bodies that are unpacked, and not read yet, at a time. */
const MAX_USUAL = 4;

/**
 * Unpacks bodies on zlib's own threads, and stops at the limit, however much a bomb holds. Few bodies are
 * there unpacked at a time, as a client may send thousands of them in the bytes of one; and those that
 * are packed as only bombs are wait for each other, not others for them.
 */
export class Unpacker {
  readonly #usual = new Lane(MAX_USUAL);
  readonly #tight = new Lane(1);

  /**
   * @param maxBytes - of the unpacked body
   * @returns the bytes; `done` is to be called once they are read, and may be called again
   */
  async unpack(decompress: Decompressor, packed: Uint8Array, maxBytes: number): Promise<Unpacking> {
    const usualBytes = Math.max(SHORT_BYTES, USUAL_RATIO * packed.byteLength);
    const first = await this.#usual.run(decompress, packed, Math.min(maxBytes, usualBytes));
    if (first.kind !== "too long" || usualBytes >= maxBytes) return first;
    return this.#tight.run(decompress, packed, maxBytes);
  }
}

/** Lets so many bodies be there at a time, first come, first served. */
class Lane {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(places: number) {
    this.#free = places;
  }

  async run(decompress: Decompressor, packed: Uint8Array, maxBytes: number): Promise<Unpacking> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free--;
    let isDone = false;
    const done = (): void => {
      if (isDone) return;
      isDone = true;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    };
    const output = await unpacked(decompress, packed, maxBytes);
    if (typeof output !== "string") return { kind: "unpacked", bytes: output, done };
    done();
    return { kind: output };
  }
}

function unpacked(
  decompress: Decompressor,
  packed: Uint8Array,
  maxOutputLength: number,
): Promise<Uint8Array | "too long" | "broken"> {
  return new Promise((resolve) => {
    decompress(packed, { maxOutputLength }, (error, output) => {
      if (error === null) return resolve(output);
      const { code } = error as { code?: unknown };
      resolve(code === "ERR_BUFFER_TOO_LARGE" ? "too long" : "broken");
    });
  });
}
