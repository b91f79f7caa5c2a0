import { describe, expect, test } from "bun:test";
import { SegmentTable } from "#io/storage/event-index/table.ts";
import { EventIndexWriter } from "#io/storage/event-index/writer.ts";
import { EventIndexCheck } from "#io/storage/integrity/event-rows.ts";
import type { Event } from "#protocol/chain/index.ts";
import { type ChainFolder, openChainFolder } from "#test/helpers/chain-folder.ts";
import { bySize } from "#test/helpers/test-size.ts";

function eventsOf(block: number): Event[] {
  return [{ fromAddress: BigInt(block % 7), keys: [BigInt(block)], data: [] }];
}

/** Chain that has only the event index of its blocks. */
async function indexed(latest: number): Promise<ChainFolder> {
  const chain = await openChainFolder();
  const writer = new EventIndexWriter(new SegmentTable(chain.writing.statements));
  chain.writing.connection.transaction(() => {
    for (let block = 0; block <= latest; block++) writer.insert(block, eventsOf(block));
  })();
  return chain;
}

/** First block at which the check finds a difference. */
function differenceIn(chain: ChainFolder, latest: number, from = 0): number | undefined {
  const check = new EventIndexCheck(chain.reading.statements, 0);
  for (let block = from; block <= latest; block++) {
    if (!check.add(block, eventsOf(block), block === latest)) return block;
  }
  return undefined;
}

const LATESTS = bySize({
  quick: [0, 40, 1023, 1024, 1160, 1184, 2200],
  full: [0, 31, 40, 1022, 1023, 1024, 1100, 1151, 1160, 1183, 1184, 1300, 2047, 2200],
});
const DAMAGED = bySize({ quick: [40, 1160], full: [40, 1100, 1160, 1200] });

describe("EventIndexCheck", () => {
  test("accepts an intact index at every stage of merging a segment", async () => {
    for (const latest of LATESTS) {
      using chain = await indexed(latest);
      const found = [0, 5, 1024].map((from) => differenceIn(chain, latest, from));
      expect([latest, ...found]).toEqual([latest, undefined, undefined, undefined]);
    }
  });

  test("finds every changed, extra or missing row", async () => {
    for (const latest of DAMAGED) {
      using chain = await indexed(latest);
      const { connection } = chain.writing;
      const ids = connection
        .query<{ id: bigint }, []>("select id from event_segment order by id")
        .all();
      const some = [0, 0.3, 0.6, 1].map((share) => ids[Math.floor(share * (ids.length - 1))]?.id);
      const missed: string[] = [];
      for (const sql of some.flatMap((id) => [
        `delete from event_segment where id = ${id}`,
        `update event_segment set entries = x'0102' where id = ${id}`,
        `update event_segment set id = id + 1 where id = ${id}`,
        `insert into event_segment values (${id} + 1, x'01')`,
      ])) {
        connection.run("savepoint damage");
        connection.run(sql);
        const check = new EventIndexCheck(chain.writing.statements, 0);
        let isFound = false;
        for (let block = 0; block <= latest; block++) {
          if (!check.add(block, eventsOf(block), block === latest)) isFound = true;
        }
        if (!isFound) missed.push(sql);
        connection.run("rollback to damage");
        connection.run("release damage");
      }
      expect(missed).toEqual([]);
    }
  });
});
