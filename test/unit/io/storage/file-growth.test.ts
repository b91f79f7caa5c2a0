import { expect, test } from "bun:test";
import { EMPTY_STATE_DIFF } from "#protocol/chain/index.ts";
import { StateHistory } from "#test/helpers/state-history.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { bySize } from "#test/helpers/test-size.ts";

const SLOTS = 1000;
const PER_BLOCK = 40;
const BLOCKS = bySize({ quick: 400, full: 750 });

/** Tables that are not pruned. */
const LASTING = ["block", "block_by_hash", "block_state_diff", "event_segment"];

test("a pruned database stops growing with its live state", async () => {
  using folder = temporaryFolder();
  const retention = { keepProofs: 16, pruneHistory: 16 };
  using history = await StateHistory.open(folder.file("chain.db"), retention);
  const { connection } = history.handle;
  connection.run("pragma synchronous = off");
  const lasting = LASTING.map((name) => `'${name}'`).join();
  const pruned = connection.query<{ pages: bigint }, []>(
    `select count(*) as pages from dbstat where name not in (${lasting})`,
  );
  const unused = connection.query<{ freelist_count: bigint }, []>("pragma freelist_count");
  const pages = () => Number(pruned.get()?.pages) + Number(unused.get()?.freelist_count);
  const sizes: number[] = [];
  for (let block = 0; block < BLOCKS; block++) {
    const entries = Array.from({ length: PER_BLOCK }, (_, i): [bigint, bigint] => {
      // Slots are written in an order that does not repeat soon.
      const slot = (block * 37 + i * 23) % SLOTS;
      return [BigInt(slot + 1) << 200n, BigInt(block + 1)];
    });
    history.commit({
      ...EMPTY_STATE_DIFF,
      storageDiffs: new Map([[0x77n, new Map(entries)]]),
    });
    if (block % (BLOCKS / 10) === BLOCKS / 10 - 1) sizes.push(pages());
  }
  // After the first tenth all slots have a value and pruning is active.
  const [first = 0, ...later] = sizes;
  expect(first).toBeGreaterThan(50);
  for (const size of later) expect(size).toBeLessThan(first * 1.1);
});
