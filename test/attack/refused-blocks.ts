import { FleetWorld, leads, type Seat } from "#test/helpers/fleet-world.ts";
import { waitForBlock } from "#test/helpers/follower.ts";
import { untilSo } from "#test/helpers/follower-state.ts";
import type { StoreRule } from "#test/helpers/store-server/faults.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { type Attack, type AttackReport, type AttackScale, boundMs } from "./attack.ts";

/** `--publish-timeout`; in full the default. */
const PUBLISH_MS: Readonly<Record<AttackScale, number>> = { small: 5_000, full: 10_000 };
/** Blocks that a leader has to produce although responses are lost. */
const BLOCKS: Readonly<Record<AttackScale, number>> = { small: 3, full: 20 };
const BLOCK_MS = 1_000;
/**
 * On a quiet machine: until the first wait is reported, a check for silence, and the process exits.
 */
const END_MS = 10_000;
const TAKEOVER_MS = 6_000;
/** Far longer than the timeout of an attempt. */
const NEVER_MS = 60_000;

const PUTS = { methods: ["PUT"], keys: "blocks/" } as const satisfies StoreRule;

/** Loses or never sends the response to each put of a block: the leader reads its blocks back. */
async function unanswered(
  world: FleetWorld,
  { node }: Seat,
  rule: StoreRule,
  blocks: number,
): Promise<string> {
  if (node === undefined) return "no leader";
  const before = await node.provider.getBlockNumber();
  await world.store.setFaults({ rules: [{ ...PUTS, ...rule }] });
  await waitForBlock(node, before + blocks, boundMs("small", 30_000 + blocks * 5_000));
  await world.store.setFaults({});
  return "";
}

/** The store rejects blocks but accepts heartbeats: the leader gives up, and the standby leads. */
async function refused(
  world: FleetWorld,
  leader: Seat,
  standby: Seat,
  scale: AttackScale,
): Promise<{ readonly wrong: string; readonly tookMs: number }> {
  const sinceMs = performance.now();
  const { node } = leader;
  const next = standby.node;
  if (node === undefined || next === undefined) return { wrong: "no sequencer", tookMs: 0 };
  await world.store.setFaults({ rules: [{ ...PUTS, fault: 503 }] });
  const limitMs = PUBLISH_MS[scale] + boundMs(scale, END_MS);
  const code = await Promise.race([node.exited, Bun.sleep(limitMs).then(() => "never")]);
  await world.store.setFaults({});
  if (code !== 1) return { wrong: `the leader ended with ${code}`, tookMs: 0 };
  await untilSo("the standby leads", next, () => leads(standby), boundMs(scale, TAKEOVER_MS));
  const tookMs = performance.now() - sinceMs;
  const again = await world.start(leader, true);
  await waitForBlock(again, (await next.provider.getBlockNumber()) + 2);
  return { wrong: "", tookMs };
}

async function run(scale: AttackScale): Promise<AttackReport> {
  using folder = temporaryFolder();
  const args = ["--publish-timeout", `${PUBLISH_MS[scale] / 1000}s`];
  const options = { folder: folder.path, accounts: 1, args, chainConfig: null };
  const world = await FleetWorld.open({ ...options, blockTimeMs: BLOCK_MS, storeProgram: null });
  try {
    const [first, second] = [await world.addSeat(), await world.addSeat()];
    await world.start(first, false);
    await waitForBlock(await world.start(second, true), 1);
    const wrong = [
      await unanswered(world, first, { fault: "lost" }, BLOCKS[scale]),
      await unanswered(world, first, { afterMs: NEVER_MS }, BLOCKS[scale]),
    ];
    if (!(await leads(first))) wrong.push("a leader without responses lost its place");
    const { wrong: stuck, tookMs } = await refused(world, first, second, scale);
    const epochs = world.publishedBlocks().map((number) => world.published(number).epoch);
    if (epochs.some((epoch, i) => epoch < (epochs[i - 1] ?? 0))) wrong.push("an epoch falls");
    const findings = [...wrong, stuck].filter((finding) => finding !== "");
    return {
      held: findings.length === 0,
      figures:
        findings.join("; ") ||
        `${2 * BLOCKS[scale]} blocks whose put had no response; refused blocks: another one leads after ${(tookMs / 1000).toFixed(1)} s`,
    };
  } finally {
    await world.stop();
  }
}

/** A store that fails only for blocks. */
export const REFUSED_BLOCKS: Attack = {
  name: "refused-blocks",
  about: "a leader whose blocks the store rejects is replaced, and lost responses cost no block",
  run,
};
