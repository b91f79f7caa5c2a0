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

/** Felts as a node tells them: a long list is not kept, but its digest. */
export type RemoteFelts = readonly Felt[] | FeltDigest;

/** Lists that are kept whole, however many there are, have at most so many felts. */
const SHORT = 32;

/** Felts of all lists together that are kept whole though they are longer than {@link SHORT}. */
const SPARE_FELTS = 1 << 20;

/** Estimated memory of a felt that is kept, and of a list. */
const FELT_BYTES = 64;
const LIST_BYTES = 96;

const describe = `array of ${felt.describe}`;

const NOTHING: readonly Felt[] = [];

/**
 * The lists of felts of one answer. Lists of at most 1024 felts are kept as they are, until there are a
 * million of such felts; equal long lists share one digest, as most calls of a transaction that hands the
 * same data around have equal ones.
 */
export class FeltLists implements StreamDecoder<RemoteFelts> {
  readonly describe = describe;
  readonly #digester = new FeltDigester();
  readonly #digests = new Map<string, FeltDigest>();
  #spareFelts = SPARE_FELTS;

  /** Reads a list. */
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
