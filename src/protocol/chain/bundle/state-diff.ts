import type { ByteReader, ByteWriter } from "#base/codec/index.ts";
import { compareFelts, type Felt } from "#base/primitives/index.ts";
import type { StateDiff } from "../state-diff.ts";
import { decodeExact, encodeExact } from "./whole.ts";

/** Writes a diff, every map in ascending key order; contracts without entries are omitted. */
export function writeStateDiff(writer: ByteWriter, diff: StateDiff): void {
  const storage = sortedEntries(diff.storageDiffs).filter(([, entries]) => entries.size > 0);
  writer.array(storage, (w, [address, entries]) => {
    w.felt(address);
    writeMap(w, entries);
  });
  writeMap(writer, diff.nonces);
  writeMap(writer, diff.deployedContracts);
  writeMap(writer, diff.replacedClasses);
  writeMap(writer, diff.declaredClasses);
  writer.felts([...diff.deprecatedDeclaredClasses].sort(compareFelts));
  writeMap(writer, diff.migratedCompiledClasses);
}

/** Reads what {@link writeStateDiff} wrote; the maps iterate in ascending key order. */
export function readStateDiff(reader: ByteReader): StateDiff {
  return {
    storageDiffs: readSorted(reader, (r) => {
      const at = r.offset;
      const entries = readMap(r);
      if (entries.size === 0) r.fail("contract with storage changes", at);
      return entries;
    }),
    nonces: readMap(reader),
    deployedContracts: readMap(reader),
    replacedClasses: readMap(reader),
    declaredClasses: readMap(reader),
    deprecatedDeclaredClasses: new Set(readSorted(reader, () => true).keys()),
    migratedCompiledClasses: readMap(reader),
  };
}

/** Encodes a diff. */
export function encodeStateDiff(diff: StateDiff): Uint8Array<ArrayBuffer> {
  return encodeExact(diff, writeStateDiff, 4096);
}

/**
 * Decodes the bytes of {@link encodeStateDiff}.
 *
 * @throws {DecodeError} when the bytes are not exactly one canonical diff
 */
export function decodeStateDiff(bytes: Uint8Array): StateDiff {
  return decodeExact(bytes, "stateDiff", readStateDiff);
}

function sortedEntries<V>(map: ReadonlyMap<Felt, V>): [Felt, V][] {
  return [...map].sort(([a], [b]) => compareFelts(a, b));
}

function writeMap(writer: ByteWriter, map: ReadonlyMap<Felt, Felt>): void {
  writer.array(sortedEntries(map), (w, [key, value]) => {
    w.felt(key);
    w.felt(value);
  });
}

function readMap(reader: ByteReader): Map<Felt, Felt> {
  return readSorted(reader, (r) => r.felt());
}

function readSorted<V>(reader: ByteReader, readValue: (reader: ByteReader) => V): Map<Felt, V> {
  const map = new Map<Felt, V>();
  const count = reader.count();
  let previous = -1n;
  for (let i = 0; i < count; i++) {
    const at = reader.offset;
    const key = reader.felt();
    if (key <= previous) reader.fail("keys in ascending order", at);
    previous = key;
    map.set(key, readValue(reader));
  }
  return map;
}
