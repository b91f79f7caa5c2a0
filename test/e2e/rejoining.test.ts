import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { RunningNode } from "#test/helpers/binary.ts";
import { FleetWorld, leads, type Seat } from "#test/helpers/fleet-world.ts";
import { waitForBlock } from "#test/helpers/follower.ts";
import { blockHash } from "#test/helpers/gateway-chain.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { untilTrue } from "#test/helpers/until-true.ts";

const folder = temporaryFolder();
const BACKUP = join(folder.path, "backup");
/** Blocks of the chain at its backup, and later. */
const [EARLY, LATE] = [3, 6];

/** Exit code of a sequencer that finds another leader. */
const DEPOSED = 4;
/** A deposed leader detects that at its next put: it must exit within this time. */
const DEPOSED_MS = 30_000;

let world: FleetWorld;
let seat: Seat;
/** Hashes of the blocks seen so far, by number. */
const seen: string[] = [];

/** Stops a sequencer cleanly, so that the next one need not wait for a takeover. */
async function stopSeat(place: Seat): Promise<void> {
  await place.node?.stop("SIGTERM");
  place.node = undefined;
}

async function note(node: RunningNode): Promise<void> {
  const newest = await node.provider.getBlockNumber();
  for (let number = seen.length; number <= newest; number++) {
    seen.push(await blockHash(node, number));
  }
}

beforeAll(async () => {
  const options = {
    folder: folder.path,
    accounts: 1,
    args: [],
    chainConfig: null,
    storeProgram: null,
  };
  world = await FleetWorld.open({ ...options, blockTimeMs: 300 });
  seat = await world.addSeat();
  const node = await world.start(seat, false);
  await waitForBlock(node, EARLY);
  await stopSeat(seat);
  cpSync(seat.basePath, BACKUP, { recursive: true });
  const again = await world.start(seat, false);
  await waitForBlock(again, LATE);
  await note(again);
  await stopSeat(seat);
}, 60_000);

afterEach(() => Promise.all(world.seats.map(stopSeat)));

afterAll(async () => {
  await world.stop();
  folder[Symbol.dispose]();
});

/** Starts a sequencer that wants to lead. @returns its exit code once it exits */
async function endOf(place: Seat): Promise<string> {
  const node = await world.start(place, false).catch((error: unknown) => String(error));
  if (typeof node !== "string") return String(await node.exited);
  return /exit code (\d+)/.exec(node)?.[1] ?? node;
}

/** Adds a place whose folder is a copy of the backup. */
async function restored(): Promise<Seat> {
  const place = await world.addSeat();
  cpSync(BACKUP, place.basePath, { recursive: true });
  return place;
}

async function expectSameChain(node: RunningNode): Promise<void> {
  await waitForBlock(node, seen.length);
  for (const [number, hash] of seen.entries()) {
    expect([number, await blockHash(node, number)]).toEqual([number, hash]);
  }
}

describe("a returning sequencer", () => {
  test("restored from an older backup fetches its missing blocks from the store", async () => {
    const place = await restored();
    const node = await world.start(place, false);
    await expectSameChain(node);
    await note(node);
  }, 60_000);

  test("restored twice from one backup leads once; the other exits with code 4", async () => {
    const places = [await restored(), await restored()];
    const ends = places.map(async (place) => ({ place, code: await endOf(place) }));
    const loser = await Promise.race([...ends, Bun.sleep(DEPOSED_MS)]);
    if (loser === undefined) throw new TypeError("both lead");
    expect(loser.code).toBe(String(DEPOSED));
    const winner = places.find((place) => place !== loser.place) ?? loser.place;
    expect(await untilTrue(() => leads(winner))).toBe(true);
    const leader = winner.node;
    if (leader === undefined) throw new TypeError("nobody leads");
    await expectSameChain(leader);
    await note(leader);
  }, 60_000);

  test("publishes a block again that the store has lost, unchanged", async () => {
    const place = await restored();
    const node = await world.start(place, false);
    await expectSameChain(node);
    await stopSeat(place);
    const newest = world.publishedBlocks().at(-1) ?? -1;
    rmSync(join(world.store.objectsFolder, "blocks", String(newest).padStart(12, "0")));
    const again = await world.start(place, false);
    await waitForBlock(again, newest + 1);
    await note(again);
    const fresh = await world.addFollower();
    await expectSameChain(fresh);
  }, 60_000);
});
