import type { Event } from "#protocol/chain/index.ts";
import { fixed } from "../chain-statements.ts";
import type { SegmentRow } from "../event-index/entries.ts";
import type { SegmentRows, StoredSegmentRow } from "../event-index/rows.ts";
import { rowId, SEGMENT_BLOCKS, unpackRowId } from "../event-index/segment.ts";
import { EventIndexWriter } from "../event-index/writer.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";

/** Above the id of every row. */
const END = (1n << 63n) - 1n;

/**
 * Makes the index of events again, block by block, to compare it with the stored one. In memory is one
 * segment. Blocks before the first begin of a segment are left out: what the index has of them depends
 * on blocks that were not looked at.
 */
export class EventIndexCheck {
  readonly #select;
  readonly #made = new MadeRows();
  readonly #writer = new EventIndexWriter(this.#made);
  /** First block of the segment that is being made. */
  #first: number | undefined;

  constructor(statements: StatementFactory<ChainSchema>) {
    this.#select = statements.of<[from: bigint, below: bigint]>()((db, [from, below]) =>
      db
        .selectFrom("event_segment")
        .select(["id", "entries"])
        .where("id", ">=", fixed(from))
        .where("id", "<", fixed(below))
        .orderBy("id"),
    );
  }

  /**
   * Takes the block behind the one before.
   *
   * @param isNewest - there is no block behind it
   * @returns whether what is stored is what was made, as far as that can be said now
   */
  add(block: number, events: readonly Event[], isNewest: boolean): boolean {
    if (block % SEGMENT_BLOCKS === 0) this.#first = block;
    if (this.#first === undefined) return true;
    this.#writer.insert(block, events);
    const isFull = (block + 1) % SEGMENT_BLOCKS === 0;
    if (!isFull && !isNewest) return true;
    const below = isNewest ? END : rowId(block + 1, 0);
    const isSame = this.#isStored(rowId(this.#first, 0), below);
    if (isFull) this.#made.deleteFrom(0);
    return isSame;
  }

  #isStored(from: bigint, below: bigint): boolean {
    const stored = this.#select.all(from, below);
    const made = this.#made.from(0);
    if (stored.length !== made.length) return false;
    return made.every(({ firstBlock, item, entries }, i) => {
      const row = stored[i];
      if (row === undefined) return false;
      const place = unpackRowId(row.id);
      const isThere = place.firstBlock === firstBlock && place.item === item;
      return isThere && Buffer.compare(row.entries, entries) === 0;
    });
  }
}

/** Rows of one segment that are not stored. */
class MadeRows implements SegmentRows {
  #rows: StoredSegmentRow[] = [];

  from(firstBlock: number): readonly StoredSegmentRow[] {
    return this.#rows.filter((row) => row.firstBlock >= firstBlock);
  }

  insert(firstBlock: number, row: SegmentRow): void {
    this.#rows.push({ firstBlock, ...row });
  }

  deleteFrom(firstBlock: number): void {
    this.#rows = this.#rows.filter((row) => row.firstBlock < firstBlock);
  }
}
