import { expect, test } from "bun:test";
import { RowsInMemory } from "#io/storage/event-index/memory-rows.ts";
import { END_OF_PLACES } from "#io/storage/event-index/rows.ts";
import { EventIndexWriter } from "#io/storage/event-index/writer.ts";
import { bySize } from "#test/helpers/test-size.ts";
import type { Event } from "#protocol/chain/index.ts";

function eventsOf(block: number): Event[] {
  const keys = [BigInt((block * 7919) % 13), BigInt(block)];
  return block % 5 === 4 ? [] : [{ fromAddress: 100n + BigInt(block % 3), keys, data: [] }];
}

/** Index whose first inserted block is `begin`; blocks below `first` have no events. */
function indexOf(begin: number, first: number, latest: number) {
  const rows = new RowsInMemory();
  const writer = new EventIndexWriter(rows);
  for (let block = begin; block <= latest; block++) {
    writer.insert(block, block < first ? [] : eventsOf(block));
  }
  return { rows, writer };
}

const all = (rows: RowsInMemory) => rows.range(0, END_OF_PLACES);

/** First blocks at and around the ends of parts and of a segment. */
const FIRST = bySize({
  quick: [1, 33, 1023, 1024, 1100],
  full: [1, 31, 32, 33, 900, 1023, 1024, 1025, 1100],
});

test.each(FIRST)(
  "an index that starts with block %d equals that of a chain without earlier events, also after a revert",
  (first) => {
    for (const latest of [first, 1023, 1024, 1150, 1200, 1340]) {
      if (latest < first) continue;
      const later = indexOf(first, first, latest);
      const whole = indexOf(0, first, latest);
      expect(all(later.rows)).toEqual(all(whole.rows));
      for (const cut of [1160, 1100, 1030, 1000, first]) {
        if (cut < first || cut >= latest) continue;
        later.writer.deleteAbove(cut, latest);
        whole.writer.deleteAbove(cut, latest);
        expect(all(later.rows)).toEqual(all(whole.rows));
        expect(all(later.rows)).toEqual(all(indexOf(first, first, cut).rows));
        break;
      }
    }
  },
);
