import { expect } from "bun:test";
import type { RunningChain, RunningNode } from "#test/helpers/binary.ts";
import { integerOfEnvironment } from "#test/helpers/environment.ts";
import { FleetBalancer } from "#test/helpers/fleet-balancer.ts";
import type { FleetWorld, Seat } from "#test/helpers/fleet-world.ts";
import { waitForBlock } from "#test/helpers/follower.ts";
import { KillLedger } from "#test/helpers/kill-ledger.ts";
import { type Attempts, NonceSender, watchBlocks } from "#test/helpers/kill-load.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { createRandom } from "#test/helpers/random.ts";
import { type AttackReport, type AttackScale, boundMs } from "./attack.ts";
import { ANY_STORE, type FailoverFleet, type FleetAttack, runAlone } from "./failover-fleet.ts";

const ROUNDS: Readonly<Record<AttackScale, number>> = { small: 1, full: 10 };
const SENDERS: Readonly<Record<AttackScale, number>> = { small: 3, full: 10 };
const BLOCK_MS: Readonly<Record<AttackScale, number>> = { small: 1_000, full: 2_000 };
/** Pause between two polls of the newest block; far shorter than a block. */
const WATCH_MS: Readonly<Record<AttackScale, number>> = { small: 50, full: 5 };
/** In full, all accounts together send 100 transfers per second. */
const PAUSE_MS = 100;
/** Blocks resume within three block times; doubled for a busy machine. */
const LONGEST_GAP_MS = 12_000;
const SETTLE_MS = 60_000;
/** One in so many submissions may fail while the standby takes over. */
const ATTEMPTS_PER_FAILURE = 1_000;

/** Milliseconds from a moment until a node has a newer block. */
async function untilNextBlock(node: RunningNode, since: number): Promise<number> {
  const newest = await node.provider.getBlockNumber();
  await waitForBlock(node, newest + 1, 60_000);
  return performance.now() - since;
}

/** Whether an account sends through the balancer. */
const isBalanced = (index: number): boolean => index % 2 === 1;

/**
 * Sends transfers until stopped, each account sequentially: every second one through a full node,
 * the others through a balancer to the sequencers.
 *
 * @returns submissions, and those that failed, by error code
 */
async function sendThrough(
  world: FleetWorld,
  node: RunningNode,
  ledger: KillLedger,
  scale: AttackScale,
  isOn: () => boolean,
): Promise<Attempts> {
  const chain = node as RunningChain;
  using balancer = new FleetBalancer(world.seats);
  const senders = Array.from({ length: SENDERS[scale] }, (_, i) => {
    const signer = world.signer(i);
    const bodyOf = (nonce: number): string =>
      signedTransfer("APPCHAIN_DEVNET", signer, BigInt(nonce), 0xabc000n + BigInt(i)).body;
    // A killed leader keeps transactions of its clients to itself until it is restarted.
    return new NonceSender(bodyOf, { mayBeUnknown: isBalanced(i) }, PAUSE_MS);
  });
  const life = { chain, ledger, isAlive: isOn };
  const balanced = { ...life, submit: (body: string) => balancer.submit(body) };
  await Promise.all([
    ...senders.map((sender, i) => sender.run(isBalanced(i) ? balanced : life)),
    watchBlocks(life, WATCH_MS[scale]),
  ]);
  const failed = new Map<number, number>();
  for (const { attempts } of senders) {
    for (const [code, count] of attempts.failed) {
      failed.set(code, (failed.get(code) ?? 0) + count);
    }
  }
  return { made: senders.reduce((sum, { attempts }) => sum + attempts.made, 0), failed };
}

/** Kills the leader, waits for the standby to lead, and restarts the killed one as the standby. */
async function round(world: FleetWorld, leader: Seat, reader: RunningNode): Promise<number> {
  await leader.node?.stop("SIGKILL");
  const gapMs = await untilNextBlock(reader, performance.now());
  await world.start(leader, true);
  return gapMs;
}

async function runOn(
  { world, reader, roles }: FailoverFleet,
  scale: AttackScale,
): Promise<AttackReport> {
  const blockMs = BLOCK_MS[scale];
  const longestGapMs = boundMs(scale, LONGEST_GAP_MS);
  const seed = integerOfEnvironment("FUZZ_SEED") ?? Date.now() % 2 ** 32;
  console.log(`FUZZ_SEED=${seed}`);
  const random = createRandom(seed);
  const ledger = new KillLedger();
  let isOn = true;
  const load = sendThrough(world, reader, ledger, scale, () => isOn);
  const gapsMs: number[] = [];
  let attempts: Attempts;
  try {
    for (let i = 0; i < ROUNDS[scale]; i++) {
      await Bun.sleep(2 * blockMs + random.below(blockMs));
      const [leader] = await roles();
      gapsMs.push(await round(world, leader, reader));
      if (leader.node !== undefined)
        await waitForBlock(leader.node, await reader.provider.getBlockNumber());
    }
    await Bun.sleep(blockMs);
  } finally {
    isOn = false;
    attempts = await load;
  }
  const failed = [...attempts.failed.values()].reduce((sum, count) => sum + count, 0);
  const codes = [...attempts.failed].map(([code, count]) => `${count} with ${code}`).join(", ");
  await ledger.verifyEnd(reader as RunningChain, SETTLE_MS);
  const blocks = world.publishedBlocks();
  const newest = await reader.provider.getBlockNumber();
  expect(blocks.slice(0, newest + 1)).toEqual(Array.from({ length: newest + 1 }, (_, i) => i));
  const { received } = ledger.counts;
  const sorted = gapsMs.toSorted((a, b) => a - b);
  const worst = sorted.at(-1) ?? Number.POSITIVE_INFINITY;
  return {
    held: worst < longestGapMs && received > 0 && failed * ATTEMPTS_PER_FAILURE <= attempts.made,
    figures:
      `${gapsMs.length} leaders killed: the next block after ${Math.round(sorted[sorted.length >> 1] ?? 0)} ms ` +
      `(median), ${Math.round(worst)} ms (worst); ${failed} of ${attempts.made} submissions failed${codes === "" ? "" : ` (${codes})`}; ` +
      `${received} transfers received, all in ${newest + 1} blocks`,
  };
}

/** Repeatedly kills the leader under load. */
export const FAILOVER: FleetAttack = {
  name: "failover",
  about: "a standby continues when the leader is killed under load, repeatedly",
  needs: {
    small: { accounts: SENDERS.small, blockMs: BLOCK_MS.small, storeProgram: ANY_STORE },
    full: { accounts: SENDERS.full, blockMs: BLOCK_MS.full, storeProgram: ANY_STORE },
  },
  runOn,
  run: (scale) => runAlone(FAILOVER, scale),
};
