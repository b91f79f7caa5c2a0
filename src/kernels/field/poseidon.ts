import type { Felt } from "#base/primitives/index.ts";
import { FIELD_LAYOUT } from "./abi.ts";
import type { FieldCalls } from "./calls.ts";

const { FELT_BYTES } = FIELD_LAYOUT;

/** Number of values of a sponge between two pauses; even. */
const SPONGE_PART = 2048;

/** Poseidon sponge over any number of values. */
export function poseidonMany(
  { exports, window }: FieldCalls,
  values: readonly Felt[],
  pause?: () => void,
): Felt {
  exports.poseidonBegin();
  const pairedCount = values.length & ~1;
  const step = Math.min(window.capacity & ~1, SPONGE_PART);
  for (let from = 0; from < pairedCount; from += step) {
    if (from > 0) pause?.();
    const count = Math.min(step, pairedCount - from);
    window.writeMany(0, values, from, count);
    exports.poseidonAbsorb(count / 2);
  }
  const hasSingle = pairedCount < values.length;
  if (hasSingle) window.writeMany(0, values, pairedCount, 1);
  exports.poseidonFinish(hasSingle ? 1 : 0);
  return window.read(0);
}

/** {@link poseidonMany} of each list; short lists share kernel calls. */
export function poseidonManyBatch(calls: FieldCalls, lists: readonly (readonly Felt[])[]): Felt[] {
  const hashes: Felt[] = [];
  let from = 0;
  while (from < lists.length) {
    const end = endOfBatch(calls, lists, from);
    if (end === from) hashes.push(poseidonMany(calls, lists[from++] ?? []));
    else {
      poseidonLists(calls, lists, from, end, hashes);
      from = end;
    }
  }
  return hashes;
}

/** End of the lists from `from` that fit into the window together, with their lengths and results. */
function endOfBatch(
  { bytes }: FieldCalls,
  lists: readonly (readonly Felt[])[],
  from: number,
): number {
  let freeBytes = bytes.length - FELT_BYTES;
  let end = from;
  for (; end < lists.length; end++) {
    freeBytes -= ((lists[end]?.length ?? 0) + 1) * FELT_BYTES + 4;
    if (freeBytes < 0) break;
  }
  return end;
}

function poseidonLists(
  { exports, window, words }: FieldCalls,
  lists: readonly (readonly Felt[])[],
  from: number,
  end: number,
  hashes: Felt[],
): void {
  const count = end - from;
  let at = Math.ceil((count * 4) / FELT_BYTES);
  for (let i = 0; i < count; i++) {
    const list = lists[from + i] ?? [];
    words[i] = list.length;
    window.writeMany(at, list, 0, list.length);
    at += list.length;
  }
  exports.poseidonManyBatch(count);
  for (let i = 0; i < count; i++) hashes.push(window.read(i));
}
