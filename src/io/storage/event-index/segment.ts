/** Number of blocks in a full segment of the event index. */
export const SEGMENT_BLOCKS = 1024;

/** Number of blocks in a partial segment, after the newest full one; later blocks have a segment each. */
export const PART_BLOCKS = 32;

/** Number of parts, of {@link PART_BLOCKS} blocks each, that cover the blocks of a full segment. */
export const PARTS: number = SEGMENT_BLOCKS / PART_BLOCKS;

/**
 * Number of shares in which the parts are merged into a full segment, one with each following block, to bound
 * the work per block. Until then, searches use the parts.
 */
export const MERGE_BLOCKS = 128;

/** Number of blocks after a full segment until its parts are deleted, one with each block. */
export const SETTLE_BLOCKS: number = MERGE_BLOCKS + PARTS;

/** Range of blocks whose entries of the event index are stored together. */
export interface Segment {
  readonly first: number;
  /** Number of blocks: {@link SEGMENT_BLOCKS}, {@link PART_BLOCKS} or 1. */
  readonly blocks: number;
}

/** Returns the segment to search for `block`, given the newest block `latest`, which is not below it. */
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
 * Returns the number under which the rows of a segment are stored. A part uses its second block: the full
 * segment made of it starts where its first part does.
 */
export function placeOf({ first, blocks }: Segment): number {
  return blocks === PART_BLOCKS ? first + 1 : first;
}

/**
 * Returns the parts that the blocks from `from`, a part's first block, through `to` fill, followed by single
 * blocks.
 */
export function partsOf(from: number, to: number): Segment[] {
  const segments: Segment[] = [];
  for (let first = from; first <= to;) {
    const blocks = first + PART_BLOCKS - 1 <= to ? PART_BLOCKS : 1;
    segments.push({ first, blocks });
    first += blocks;
  }
  return segments;
}

/**
 * Returns the start of the newest complete segment of {@link SEGMENT_BLOCKS}, given the newest block;
 * `undefined` if none.
 */
export function newestFull(latest: number): number | undefined {
  const behind = latest + 1 - ((latest + 1) % SEGMENT_BLOCKS);
  return behind === 0 ? undefined : behind - SEGMENT_BLOCKS;
}

/** Returns the id of the row at a place that starts with `item`. */
export function rowId(place: number, item: number): bigint {
  return (BigInt(place) << 32n) | BigInt(item);
}

/** Returns place and first item of a {@link rowId}. */
export function unpackRowId(id: bigint): { readonly place: number; readonly item: number } {
  return { place: Number(id >> 32n), item: Number(id & 0xffff_ffffn) };
}
