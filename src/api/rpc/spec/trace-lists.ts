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

/** Traces with more felts are written piece by piece: 69 characters a felt make 1 MiB. */
const MOST_FELTS_AT_ONCE = 15_000;

/** A list of no more felts is made at once in any case. */
const SHORT_LIST_FELTS = 64;

/** How the lists of a trace are written that may be long. */
export interface TraceLists {
  /** Felts in hexadecimal. */
  felts(felts: Felts): JsonSource;
  /** Each element as `encode` writes it. */
  of<T>(elements: Iterable<T>, encode: (element: T) => JsonSource): JsonSource;
  /** What is known once the lists before it are written. */
  later(make: () => JsonObject): JsonSource;
}

/** Makes every list at once. */
const WHOLE_LISTS: TraceLists = {
  felts: (felts) => hexes(feltsOf(felts)),
  // What this encodes has whole lists itself.
  of: (elements, encode) => Array.from(elements, encode) as JsonObject[],
  later: (make) => make(),
};

/** Makes the elements of a list when they are written. */
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
 * Writes an answer with these traces, at once if it is short.
 *
 * @param traces - those of a list that are there; others are made while it is written
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
  // Nothing in it is made while it is written.
  return write(WHOLE_LISTS) as JsonValue;
}

/** Felts in hexadecimal. */
export function hexes(felts: readonly Felt[]): readonly string[] {
  return felts.map(hexFromFelt);
}
