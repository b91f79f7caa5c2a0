import {
  felt,
  type JsonReader,
  PENDING,
  type Reading,
  type StreamDecoder,
  type TextVisitor,
} from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { FELTS_PER_BLOCK, FeltDigest, FeltDigester } from "./felt-digest.ts";

/** Felts reported by a node; for a long list, only its digest. */
export type RemoteFelts = readonly Felt[] | FeltDigest;

/** Maximum length of lists that are always kept. */
const SHORT = 32;

/** Maximum total number of felts in longer lists that are kept. */
const SPARE_FELTS = 1 << 20;

/** Estimated memory of a kept felt, and of a list, in bytes. */
const FELT_BYTES = 64;
const LIST_BYTES = 96;

const describe = `array of ${felt.describe}`;

const NOTHING: readonly Felt[] = [];

/**
 * Decodes the felt lists of one response. A list of at most {@link SHORT} felts is kept. A longer one is kept
 * if it has at most 1024 felts and all longer ones together have at most a million; otherwise only its digest
 * is kept. Equal long lists share one digest: the calls of a transaction often pass the same data on.
 */
export class FeltLists implements StreamDecoder<RemoteFelts> {
  readonly describe = describe;
  readonly #digester = new FeltDigester();
  readonly #digests = new Map<string, FeltDigest>();
  #spareFelts = SPARE_FELTS;

  *read(reader: JsonReader): Reading<RemoteFelts> {
    const digester = this.#digester;
    const visit: TextVisitor = (bytes, start, end) => digester.addHex(bytes, start, end);
    digester.clear();
    while (reader.open("array", describe) === PENDING) yield;
    while (reader.texts(visit, felt.describe) === PENDING) yield;
    return this.#kept(reader);
  }

  #kept(reader: JsonReader): RemoteFelts {
    const { length } = this.#digester;
    if (length === 0) return NOTHING;
    const isSpare = length <= FELTS_PER_BLOCK && length <= this.#spareFelts;
    if (length <= SHORT || isSpare) {
      if (length > SHORT) this.#spareFelts -= length;
      reader.keep(LIST_BYTES + length * FELT_BYTES);
      return this.#digester.felts();
    }
    const digest = this.#digester.digest();
    const key = `${length} ${digest.text}`;
    const known = this.#digests.get(key);
    if (known !== undefined) return known;
    reader.keep(LIST_BYTES + key.length + digest.sizeBytes);
    this.#digests.set(key, digest);
    return digest;
  }
}
