import { gunzip, inflate, type InputType, type ZlibOptions } from "node:zlib";

/** Decompression function of the runtime's zlib. */
export type Decompressor = (
  input: InputType,
  options: ZlibOptions & { maxOutputLength: number },
  done: (error: Error | null, output: Uint8Array) => void,
) => void;

/** Supported decompressors, by name in `Content-Encoding` (RFC 9110, section 8.4.1). */
export const DECOMPRESSORS: ReadonlyMap<string, Decompressor> = new Map([
  ["gzip", gunzip as Decompressor],
  ["x-gzip", gunzip as Decompressor],
  ["deflate", inflate as Decompressor],
]);

/** Decompressed body, or the reason for failure. */
export type Unpacking =
  | { readonly kind: "unpacked"; readonly bytes: Uint8Array; readonly done: () => void }
  | { readonly kind: "too long" | "broken" };

/**
 * JSON rarely compresses more tightly than this. Bodies that expand beyond this factor are unpacked one at a
 * time.
 */
const USUAL_RATIO = 32;

/** Decompressed size that short bodies may always reach, whatever their ratio. */
const SHORT_BYTES = 65_536;

/** Maximum number of bodies that are being unpacked, or are unpacked and unread. */
const MAX_USUAL = 4;

/**
 * Decompresses bodies on zlib's own threads, and stops at the limit, however large a decompression bomb is.
 * Few unpacked bodies exist at a time, as a client may send thousands of bombs in the bytes of one plain
 * body. Bodies with the ratio of a bomb queue only behind each other; others do not wait for them.
 */
export class Unpacker {
  readonly #usual = new Lane(MAX_USUAL);
  readonly #tight = new Lane(1);

  /**
   * @param maxBytes - limit of the unpacked body
   * @returns the bytes; `done` must be called once they are consumed, and is idempotent
   */
  async unpack(decompress: Decompressor, packed: Uint8Array, maxBytes: number): Promise<Unpacking> {
    const usualBytes = Math.max(SHORT_BYTES, USUAL_RATIO * packed.byteLength);
    const first = await this.#usual.run(decompress, packed, Math.min(maxBytes, usualBytes));
    if (first.kind !== "too long" || usualBytes >= maxBytes) return first;
    return this.#tight.run(decompress, packed, maxBytes);
  }
}

/** Bounds the number of unpacked bodies; first come, first served. */
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
