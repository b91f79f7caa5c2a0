import type { RunningNode } from "#test/helpers/binary.ts";
import { FleetWorld, leads, type Seat } from "#test/helpers/fleet-world.ts";
import { blockHash } from "#test/helpers/gateway-chain.ts";
import { waitForBlock } from "#test/helpers/follower.ts";
import { untilSo } from "#test/helpers/follower-state.ts";
import type { StoreRule } from "#test/helpers/store-server/faults.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { type Attack, type AttackReport, type AttackScale, boundMs } from "./attack.ts";

const ROUNDS: Readonly<Record<AttackScale, number>> = { small: 1, full: 4 };
const ARGS: Readonly<Record<AttackScale, readonly string[]>> = {
  small: ["--publish-timeout", "5s"],
  full: [],
};
/** Deadline until a standby that led while the store lied gives up as well. */
const GIVE_UP_MS: Readonly<Record<AttackScale, number>> = { small: 12_000, full: 20_000 };
/**
 * A standby that publishes this many blocks to an honest store does not give up: a leader reads the block
 * before each one back.
 */
const SOUND_BLOCKS = 3;
const BLOCK_MS = 1_000;
const END_MS = 40_000;
/** Exit codes of a leader that gave up, and of one that was replaced. */
const ENDS: ReadonlySet<unknown> = new Set([1, 4]);
/** Blocks that a leader may show and the store may lose: only the newest one. */
const LOST_BLOCKS = 1;

const PUTS = { methods: ["PUT"], fault: "forgotten" } as const satisfies StoreRule;

/**
 * Puts that the store confirms without storing: one block, or all from one block on until the
 * leader exits.
 */
const KINDS: Readonly<Record<string, StoreRule>> = {
  "one block": { ...PUTS, keys: "blocks/", times: 1 },
  everything: PUTS,
};

/** Collects the hashes of a node's blocks, by number, until it exits. */
async function watchBlocks({ node }: Seat, isOver: () => boolean): Promise<Map<number, string>> {
  const shown = new Map<number, string>();
  while (node !== undefined && !isOver()) {
    try {
      const newest = await node.provider.getBlockNumber();
      for (let number = newest; number >= 0 && !shown.has(number); number--) {
        shown.set(number, await blockHash(node, number));
      }
    } catch {
      // The node has exited, or is about to.
    }
    await Bun.sleep(50);
  }
  return shown;
}

/** Runs one round. @returns the fault; empty if there was no fault */
async function round(
  world: FleetWorld,
  [leader, standby]: readonly [Seat, Seat],
  rule: StoreRule,
  scale: AttackScale,
): Promise<string> {
  const { node } = leader;
  const next = standby.node;
  if (node === undefined || next === undefined) return "a sequencer is missing";
  let isOver = false;
  const watching = watchBlocks(leader, () => isOver);
  await world.store.setFaults({ rules: [rule] });
  const code = await Promise.race([node.exited, Bun.sleep(boundMs(scale, END_MS)).then(() => 0)]);
  isOver = true;
  const shown = await watching;
  await world.store.setFaults({});
  if (!ENDS.has(code)) return `the leader ended with ${code}: ${node.output().slice(-400)}`;
  // The other one may have led meanwhile, and given up in turn.
  const isGone = await givesUp(world, next, GIVE_UP_MS[scale]);
  // If only the old leader has the lost block, it leads again; otherwise it follows.
  const again = await world.start(leader, false).catch((error: unknown) => {
    if (!String(error).includes("another sequencer leads")) throw error;
    return world.start(leader, true);
  });
  const other = isGone ? await world.start(standby, true) : next;
  const isLed = async (): Promise<boolean> => (await leads(leader)) || (await leads(standby));
  await untilSo("one leads", again, isLed, boundMs(scale, END_MS));
  const newest = Math.max(...shown.keys());
  for (const each of [again, other]) await waitForBlock(each, newest + 2, boundMs(scale, END_MS));
  const lost: number[] = [];
  for (const [number, hash] of shown) {
    const hashes = [await blockHash(again, number), await blockHash(other, number)];
    if (hashes[0] !== hashes[1]) return `block ${number} has two hashes`;
    if (hashes[0] !== hash) lost.push(number);
  }
  const isNewest = lost.every((number) => number > newest - LOST_BLOCKS);
  return isNewest ? "" : `blocks ${lost.join(", ")} were shown up to ${newest}, and are others now`;
}

/** Waits until a standby exits, or publishes blocks, or the time is over. @returns whether it exited */
async function givesUp(
  world: FleetWorld,
  { exited }: RunningNode,
  forMs: number,
): Promise<boolean> {
  let hasExited = false;
  void exited.then(() => (hasExited = true));
  const newest = (): number => world.publishedBlocks().at(-1) ?? -1;
  const soundBlock = newest() + SOUND_BLOCKS;
  await untilTrue(() => hasExited || newest() >= soundBlock, forMs);
  return hasExited;
}

/** Checks that the published blocks form one chain. */
function branchOf(world: FleetWorld): string {
  const bundles = world.publishedBlocks().map((number) => world.published(number));
  const broken = bundles.find(({ block, epoch }, i) => {
    const before = bundles[i - 1];
    if (before === undefined) return false;
    return block.header.parentHash !== before.block.header.hash || epoch < before.epoch;
  });
  return broken === undefined ? "" : `block ${broken.block.header.number} is of another branch`;
}

async function run(scale: AttackScale): Promise<AttackReport> {
  const wrong: string[] = [];
  for (const [kind, rule] of Object.entries(KINDS)) {
    using folder = temporaryFolder();
    const options = { folder: folder.path, accounts: 1, args: ARGS[scale], chainConfig: null };
    const world = await FleetWorld.open({ ...options, blockTimeMs: BLOCK_MS, storeProgram: null });
    try {
      const [first, second] = [await world.addSeat(), await world.addSeat()];
      await world.start(first, false);
      await waitForBlock(await world.start(second, true), 2);
      for (let i = 0; i < ROUNDS[scale] && wrong.length === 0; i++) {
        const seats = (await leads(first))
          ? ([first, second] as const)
          : ([second, first] as const);
        const found = (await round(world, seats, rule, scale)) || branchOf(world);
        if (found !== "") wrong.push(`${kind}, round ${i}: ${found}`);
      }
    } finally {
      await world.stop();
    }
  }
  return {
    held: wrong.length === 0,
    figures:
      wrong.join("; ") ||
      `${2 * ROUNDS[scale]} times confirmed and not stored: one branch, at most ${LOST_BLOCKS} block shown and lost`,
  };
}

/** A store that responds 200 and stores nothing. */
export const FORGETFUL_STORE: Attack = {
  name: "forgetful-store",
  about: "a leader gives up when the store confirms puts and stores nothing",
  run,
};
