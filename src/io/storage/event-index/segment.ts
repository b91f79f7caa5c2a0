/** Blocks of a full segment. */
export const SEGMENT_BLOCKS = 1024;

/** Blocks of the segments behind the newest full one; the blocks behind these have one each. */
export const PART_BLOCKS = 32;

/** Blocks whose items stand together. */
export interface Segment {
  /** Number of the first block. */
  readonly first: number;
  /** How many: {@link SEGMENT_BLOCKS}, {@link PART_BLOCKS} or 1. */
  readonly blocks: number;
}

/** The segment that holds `block` when the newest block is `latest`, which is not below it. */
export function segmentOf(block: number, latest: number): Segment {
  for (const blocks of [SEGMENT_BLOCKS, PART_BLOCKS]) {
    const first = block - (block % blocks);
    if (first + blocks - 1 <= latest) return { first, blocks };
  }
  return { first: block, blocks: 1 };
}

/** The segments from the begin of one, at `from`, to the newest block. */
export function segmentsFrom(from: number, latest: number): Segment[] {
  const segments: Segment[] = [];
  for (let block = from; block <= latest;) {
    const segment = segmentOf(block, latest);
    segments.push(segment);
    block = segment.first + segment.blocks;
  }
  return segments;
}

/** Id of the row of a segment that begins with `item`. */
export function rowId(firstBlock: number, item: number): bigint {
  return (BigInt(firstBlock) << 32n) | BigInt(item);
}

/** First block and first item of {@link rowId}. */
export function unpackRowId(id: bigint): { readonly firstBlock: number; readonly item: number } {
  return { firstBlock: Number(id >> 32n), item: Number(id & 0xffff_ffffn) };
}
