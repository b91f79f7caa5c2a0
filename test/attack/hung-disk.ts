import { startNode } from "#test/helpers/binary.ts";
import { FleetWorld, leads } from "#test/helpers/fleet-world.ts";
import { waitForBlock } from "#test/helpers/follower.ts";
import { readyOf, untilRefused, untilSo } from "#test/helpers/follower-state.ts";
import { type FrozenDisk, openFrozenDisk } from "#test/helpers/frozen-disk.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { type Attack, type AttackReport, type AttackScale, boundMs } from "./attack.ts";

/** `--stall-timeout`; in full the default. */
const STALL_MS: Readonly<Record<AttackScale, number>> = { small: 5_000, full: 20_000 };
/** Block times of chains whose disk hangs; `null` for an idle chain without writes. */
const BLOCK_TIMES: Readonly<Record<AttackScale, readonly (number | null)[]>> = {
  small: [1_000],
  full: [1_000, null],
};
/**
 * Time from the stall until the standby leads, on a quiet machine: a probe, a poll, and its first
 * block.
 */
const TAKEOVER_MS = 10_000;
const END_MS = 15_000;
const STALLED = /has made no progress/;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/**
 * Hangs the leader's disk: the standby leads, and the old leader returns as a standby of the same
 * chain.
 */
async function failover(
  scale: AttackScale,
  blockTimeMs: number | null,
  folder: string,
): Promise<string> {
  const args = ["--stall-timeout", `${STALL_MS[scale] / 1000}s`];
  const options = { folder, accounts: 1, args, chainConfig: null, blockTimeMs, storeProgram: null };
  const world = await FleetWorld.open(options);
  const [first, second] = [await world.addSeat(), await world.addSeat()];
  const disk = openFrozenDisk(`${folder}/leader.img`, first.basePath);
  if (typeof disk === "string") {
    await world.stop();
    throw new TypeError(disk);
  }
  try {
    const leader = await world.start(first, false);
    const standby = await world.start(second, true);
    await waitForBlock(standby, blockTimeMs === null ? 0 : 2);
    disk.freeze();
    const sinceMs = Date.now();
    const limitMs = STALL_MS[scale] + boundMs(scale, TAKEOVER_MS);
    await untilSo("the standby leads", standby, () => leads(second), limitMs);
    const tookMs = Date.now() - sinceMs;
    if (!STALLED.test(leader.output())) return `no stall is logged: ${leader.output().slice(-400)}`;
    disk.thaw();
    const code = await Promise.race([leader.exited, Bun.sleep(END_MS).then(() => "never")]);
    if (code !== 1) return `the old leader ended with ${code}: ${leader.output().slice(-400)}`;
    const again = await world.start(first, true);
    await waitForBlock(again, await standby.provider.getBlockNumber());
    const epochs = world.publishedBlocks().map((number) => world.published(number).epoch);
    if (epochs.some((epoch, i) => epoch < (epochs[i - 1] ?? 0))) return "an epoch falls";
    return `the standby leads after ${seconds(tookMs)} (${blockTimeMs === null ? "idle" : "blocks"})`;
  } finally {
    disk.thaw();
    await world.stop();
    disk[Symbol.dispose]();
  }
}

/** A sequencer without standbys: it is not ready, gives the reason, and resumes with the disk. */
async function alone(scale: AttackScale, folder: string, disk: FrozenDisk): Promise<string> {
  const node = await startNode({
    basePath: `${disk.path}/data`,
    command: ["sequencer", "--preset", "devnet"],
    args: ["--stall-timeout", `${STALL_MS[scale] / 1000}s`, "--config-out", `${folder}/out.json`],
  });
  try {
    await waitForBlock(node, 0);
    disk.freeze();
    const sinceMs = Date.now();
    await untilRefused(node, STALLED, STALL_MS[scale] + boundMs(scale, TAKEOVER_MS));
    const tookMs = Date.now() - sinceMs;
    const { ok } = await fetch(`${node.url}/health`);
    disk.thaw();
    await untilSo("it is ready again", node, async () => (await readyOf(node)).ready);
    return ok ? `alone not ready after ${seconds(tookMs)}` : "BROKEN: /health fails";
  } finally {
    disk.thaw();
    await node.stop("SIGKILL");
  }
}

async function run(scale: AttackScale): Promise<AttackReport> {
  using folder = temporaryFolder();
  const disk = openFrozenDisk(folder.file("alone.img"), folder.file("alone"));
  if (typeof disk === "string") {
    return { held: true, figures: `omitted: no disk that hangs can be made here (${disk})` };
  }
  using _ = disk;
  const outcomes = [await alone(scale, folder.path, disk)];
  for (const blockTimeMs of BLOCK_TIMES[scale]) {
    using own = temporaryFolder();
    outcomes.push(await failover(scale, blockTimeMs, own.path));
  }
  return { held: outcomes.every((text) => / after /.test(text)), figures: outcomes.join("; ") };
}

/** A hanging disk under a node that still serves requests. */
export const HUNG_DISK: Attack = {
  name: "hung-disk",
  about:
    "a sequencer whose writes to the data directory hang is replaced, or resumes with the disk",
  run,
};
