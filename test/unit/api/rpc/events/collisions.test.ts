import { expect, test } from "bun:test";
import { bytesFromFelt } from "#base/primitives/index.ts";
import type { Event } from "#protocol/chain/index.ts";
import { openChainFolder } from "#test/helpers/chain-folder.ts";
import {
  allPages,
  EventWorld,
  eventFilterWith,
  pageOf,
  placesOf,
} from "#test/helpers/event-world.ts";
import { xxHash32 } from "#test/helpers/reference/xxhash32.ts";

/** Item kinds of the index: an address, and a key at the first position. */
const [ADDRESS, FIRST_KEY] = [1, 2];

/** Odd, so that felts differ in several hashed words: felts that differ in only one never collide. */
const STRIDE = 0x9e37_79b9_7f4a_7c15n;

/** Two felts that the index cannot distinguish; anyone can find such a pair. */
function collidingPair(kind: number): readonly [bigint, bigint] {
  const known = new Map<number, bigint>();
  // By the birthday bound 2^16 felts suffice; 2^20 leaves a wide margin.
  for (let felt = STRIDE; known.size < 2 ** 20; felt += STRIDE) {
    const item = xxHash32(bytesFromFelt(felt), kind);
    const other = known.get(item);
    if (other !== undefined) return [other, felt];
    known.set(item, felt);
  }
  throw new RangeError("no two felts collide");
}

const BLOCKS = 40;

test("colliding events never match, and pages stay within their budget", async () => {
  using chain = await openChainFolder();
  const world = new EventWorld(chain.reader, chain.writer);
  const [address, falseAddress] = collidingPair(ADDRESS);
  const [key, falseKey] = collidingPair(FIRST_KEY);
  const event = (fromAddress: bigint, first: bigint): Event => ({
    fromAddress,
    keys: [first],
    data: [],
  });
  for (let block = 0; block < BLOCKS; block++) {
    const fits = block % 16 === 5 ? [event(address, key)] : [];
    world.block([event(falseAddress, falseKey), event(address, falseKey), ...fits]);
  }
  const filter = eventFilterWith({ addresses: [address], keys: [[key]] });
  expect(chain.reader.nextEventBlock(filter, 0, BLOCKS - 1)).toBe(0);
  const expected = ["5/0/2", "21/0/2", "37/0/2"];
  expect(placesOf(pageOf(world.context, filter).events)).toEqual(expected);
  let pages = 1;
  const limits = { budget: 20, window: 1024 };
  const found = allPages(world.context, filter, limits, (page) => {
    pages = page + 1;
    return undefined;
  });
  expect(placesOf(found)).toEqual(expected);
  expect(pages).toBeGreaterThan(5);
  expect(pages).toBeLessThanOrEqual(BLOCKS);
});
