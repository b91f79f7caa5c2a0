import {
  JsonElements,
  JsonLater,
  JsonList,
  type JsonObject,
  JsonPieces,
  type JsonSource,
  type JsonValue,
} from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { TransactionTrace } from "#engine/execution/index.ts";
import { type Felts, feltsOf, hexSlicesOf } from "#kernels/vm/index.ts";

/** Traces with more felts are encoded in chunks: 69 characters per felt make 1 MiB. */
const MOST_FELTS_AT_ONCE = 15_000;

/** Lists up to this length are always encoded as a whole. */
const SHORT_LIST_FELTS = 64;

/** Strategy for encoding the potentially long lists of a trace. */
export interface TraceLists {
  /** Felts in hexadecimal. */
  felts(felts: Felts): JsonSource;
  /** Encodes each element with `encode`. */
  of<T>(elements: Iterable<T>, encode: (element: T) => JsonSource): JsonSource;
  /** Encodes a value that is known only after all lists before it are written. */
  later(make: () => JsonObject): JsonSource;
}

/** Encodes every list immediately. */
const WHOLE_LISTS: TraceLists = {
  felts: (felts) => hexes(feltsOf(felts)),
  // `encode` uses the same strategy, so that it returns plain JSON.
  of: (elements, encode) => Array.from(elements, encode) as JsonObject[],
  later: (make) => make(),
};

/** Encodes the elements of a list when they are written. */
const PIECEWISE_LISTS: TraceLists = {
  felts(felts) {
    if (felts.length <= SHORT_LIST_FELTS) return hexes(feltsOf(felts));
    return new JsonList(function* () {
      for (const text of hexSlicesOf(felts)) yield new JsonElements(text);
    });
  },
  of(elements, encode) {
    if (Array.isArray(elements) && elements.length === 0) return [];
    return new JsonList(function* () {
      for (const element of elements) yield [encode(element)];
    });
  },
  later: (make) => new JsonLater(make),
};

/**
 * Encodes a response with these traces; as a whole if it is short.
 *
 * @param traces - an array of all traces; any other iterable creates them while it is written
 */
export function writeTraces(
  traces: Iterable<TransactionTrace>,
  write: (lists: TraceLists) => JsonSource,
): JsonValue | JsonPieces {
  if (!Array.isArray(traces)) return new JsonPieces(write(PIECEWISE_LISTS));
  const felts = (traces as readonly TransactionTrace[]).reduce(
    (sum, trace) => sum + trace.felts,
    0,
  );
  if (felts > MOST_FELTS_AT_ONCE) return new JsonPieces(write(PIECEWISE_LISTS));
  // `WHOLE_LISTS` defers nothing, so the result is plain JSON.
  return write(WHOLE_LISTS) as JsonValue;
}

/** Encodes felts as hexadecimal text. */
export function hexes(felts: readonly Felt[]): readonly string[] {
  return felts.map(hexFromFelt);
}
