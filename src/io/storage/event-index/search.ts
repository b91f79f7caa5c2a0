import type { EventQuery } from "#engine/state/index.ts";
import { BlockSet } from "./bitmap.ts";
import { RowCursor } from "./entries.ts";
import { queryItems } from "./items.ts";
import { placeOf, type Segment, segmentOf } from "./segment.ts";
import type { SegmentTable } from "./table.ts";

/** Block lookups that a search needs. */
export interface IndexedBlocks {
  latestNumber(): number | undefined;
  /** Hash of a block as stored. */
  hashBytes(blockNumber: number): Uint8Array | undefined;
}

interface Candidates {
  readonly segment: Segment;
  /** Hash of the segment's last block; it identifies the blocks of the segment. */
  readonly lastHash: Uint8Array | undefined;
  readonly found: BlockSet;
}

interface PreparedQuery {
  readonly groups: readonly Uint32Array[];
  /** Last matched segment of several blocks: a caller that goes from block to block stays in it. */
  last?: Candidates;
}

/**
 * Finds blocks by their events. Use it in a read transaction: the newest block determines the layout of the
 * rows.
 */
export class EventSearch {
  readonly #table: SegmentTable;
  readonly #blocks: IndexedBlocks;
  readonly #prepared = new WeakMap<EventQuery, PreparedQuery>();

  constructor(table: SegmentTable, blocks: IndexedBlocks) {
    this.#table = table;
    this.#blocks = blocks;
  }

  /** Same as `ChainReader.nextEventBlock`. */
  nextBlock(query: EventQuery, from: number, to: number): number | undefined {
    const latest = this.#blocks.latestNumber() ?? -1;
    const last = Math.min(to, latest);
    const prepared = this.#prepare(query);
    for (let block = Math.max(from, 0); block <= last;) {
      const segment = segmentOf(block, latest);
      const { first, blocks } = segment;
      const end = Math.min(last - first, blocks - 1);
      const found = this.#candidates(prepared, segment).next(block - first, end);
      if (found !== undefined) return first + found;
      block = first + blocks;
    }
    return undefined;
  }

  #prepare(query: EventQuery): PreparedQuery {
    const known = this.#prepared.get(query);
    if (known !== undefined) return known;
    const prepared: PreparedQuery = { groups: queryItems(query) };
    this.#prepared.set(query, prepared);
    return prepared;
  }

  #candidates(prepared: PreparedQuery, segment: Segment): BlockSet {
    const { last } = prepared;
    const lastBlock = segment.first + segment.blocks - 1;
    if (last?.segment.first === segment.first && last.segment.blocks === segment.blocks) {
      if (isSame(last.lastHash, this.#blocks.hashBytes(lastBlock))) return last.found;
    }
    const found = this.#lookUp(prepared.groups, segment);
    // An empty result is not needed again.
    if (!found.isEmpty && segment.blocks > 1) {
      prepared.last = { segment, lastHash: this.#blocks.hashBytes(lastBlock), found };
    }
    return found;
  }

  /** Returns the blocks that have an item of each group. */
  #lookUp(groups: readonly Uint32Array[], segment: Segment): BlockSet {
    let common: BlockSet | undefined;
    for (const group of groups) {
      const found = this.#blocksOfAny(group, segment);
      if (common === undefined) common = found;
      else common.intersect(found);
      if (common.isEmpty) break;
    }
    return common ?? new BlockSet(segment.blocks);
  }

  /** Returns the blocks that have one of these ascending items; one row may hold several. */
  #blocksOfAny(items: Uint32Array, segment: Segment): BlockSet {
    const found = new BlockSet(segment.blocks);
    const place = placeOf(segment);
    let cursor: RowCursor | undefined;
    for (const item of items) {
      if (cursor?.seek(item) !== true) {
        const row = this.#table.rowOf(place, item);
        if (row === undefined) break;
        cursor = new RowCursor(row);
        if (!cursor.seek(item)) continue;
      }
      if (cursor.item === item) cursor.read((offset) => found.add(offset));
    }
    return found;
  }
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a !== undefined && b !== undefined && Buffer.compare(a, b) === 0;
}
