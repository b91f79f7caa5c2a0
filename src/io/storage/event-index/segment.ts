/** Blocks of a full segment. */
export const SEGMENT_BLOCKS = 1024;

/** Blocks of the segments behind the newest full one; the blocks behind these have one each. */
export const PART_BLOCKS = 32;

/** Parts of a full segment. */
export const PARTS: number = SEGMENT_BLOCKS / PART_BLOCKS;

/**
 * A full segment is made of its parts in so many shares, one with each block behind it: no block waits for
 * more. Until then its parts are what is looked into.
 */
export const MERGE_BLOCKS = 128;

/** Blocks behind a full segment until its parts are gone, one with each block. */
export const SETTLE_BLOCKS: number = MERGE_BLOCKS + PARTS;

/** Blocks whose items stand together. */
export interface Segment {
  /** Number of the first block. */
  readonly first: number;
  /** How many: {@link SEGMENT_BLOCKS}, {@link PART_BLOCKS} or 1. */
  readonly blocks: number;
}

/** The segment to look into for `block` when the newest block is `latest`, which is not below it. */
export function segmentOf(block: number, latest: number): Segment {
  const full = block - (block % SEGMENT_BLOCKS);
  if (full + SEGMENT_BLOCKS - 1 + MERGE_BLOCKS <= latest) {
    return { first: full, blocks: SEGMENT_BLOCKS };
  }
  const first = block - (block % PART_BLOCKS);
  if (first + PART_BLOCKS - 1 <= latest) return { first, blocks: PART_BLOCKS };
  return { first: block, blocks: 1 };
}

/**
 * The number that the rows of a segment are stored under. A part has that of its second block: the full
 * segment that is made of it begins where its first part does.
 */
export function placeOf({ first, blocks }: Segment): number {
  return blocks === PART_BLOCKS ? first + 1 : first;
}

/** The parts that blocks from `from`, where one begins, to `to` fill, and the single blocks behind them. */
export function partsOf(from: number, to: number): Segment[] {
  const segments: Segment[] = [];
  for (let first = from; first <= to;) {
    const blocks = first + PART_BLOCKS - 1 <= to ? PART_BLOCKS : 1;
    segments.push({ first, blocks });
    first += blocks;
  }
  return segments;
}

/** The newest segment of {@link SEGMENT_BLOCKS} that is complete when `latest` is the newest block. */
export function newestFull(latest: number): number | undefined {
  const behind = latest + 1 - ((latest + 1) % SEGMENT_BLOCKS);
  return behind === 0 ? undefined : behind - SEGMENT_BLOCKS;
}

/** Id of the row at a place that begins with `item`. */
export function rowId(place: number, item: number): bigint {
  return (BigInt(place) << 32n) | BigInt(item);
}

/** Place and first item of {@link rowId}. */
export function unpackRowId(id: bigint): { readonly place: number; readonly item: number } {
  return { place: Number(id >> 32n), item: Number(id & 0xffff_ffffn) };
}
