import { ASYNC_SUBMISSION, resultOf, type RunningNode, startChain } from "#test/helpers/binary.ts";
import { startFollower, waitForBlock } from "#test/helpers/follower.ts";
import { withGateway } from "#test/helpers/gateway-sends.ts";
import { HonestLoad } from "#test/helpers/honest-load.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { type Attack, type AttackReport, type AttackScale, boundMs } from "./attack.ts";
import type { FeederFlood, FeederFloodCounts, FeederFloodOrder } from "./feeder-flood.worker.ts";

const CHAIN_ID = "APPCHAIN_DEVNET";

/** During any flood of its sequencer, a full node gets a block within a fraction of this. */
const LAG_MS = 10_000;

/** A client of the full node gets a response within a fraction of this. */
const WAIT_MS = 6_000;

const TRANSFERS_PER_SECOND = { small: 20, full: 200 } as const;
const FLOOD_MS = { small: 400, full: 30_000 } as const;
const BLOCK_TIME = { small: "250ms", full: "500ms" } as const;
/** Maximum wait of the attacker for its first response, if that is all that is missing. */
const FIRST_ANSWER_MS = 30_000;
const PAUSE_MS = 50;

/** Number of blocks before the flood. */
const BLOCKS = { small: 4, full: 10 } as const;

const KINDS: readonly FeederFlood[] = ["blocks", "traces", "classes", "misses", "open blocks"];

/** Floods a feeder gateway while a full node follows it and has clients. */
export const FEEDER_FLOOD: Attack = {
  name: "feeder-flood",
  about: "a full node follows and serves its clients while the feeder gateway is flooded",
  async run(scale: AttackScale): Promise<AttackReport> {
    using chainFolder = temporaryFolder();
    using nodeFolder = temporaryFolder();
    const { url, args } = await withGateway([
      ...["--block-time", BLOCK_TIME[scale]],
      ...["--log-level", "warn"],
    ]);
    const chain = await startChain({ basePath: chainFolder.path, args, env: ASYNC_SUBMISSION });
    const node = await startFollower(nodeFolder.path, { gateways: [url] });
    const honest = new HonestLoad(
      { ...chain, ...node },
      { chainId: CHAIN_ID, transfersPerSecond: TRANSFERS_PER_SECOND[scale] },
    );
    const blocks = BLOCKS[scale];
    const [mostLagMs, waitMs] = [boundMs(scale, LAG_MS), boundMs(scale, WAIT_MS)];
    const figures: string[] = [];
    let held = true;
    try {
      await waitForBlock(node, 0);
      honest.start();
      await waitForBlock(node, blocks);
      const classHash = await resultOf<string>(chain, "starknet_getClassHashAt", [
        "latest",
        chain.accounts[0]?.address,
      ]);
      for (const kind of KINDS) {
        const worker = new Worker(new URL("feeder-flood.worker.ts", import.meta.url));
        const answers = new Map<string, number>();
        worker.addEventListener("message", ({ data }: MessageEvent<FeederFloodCounts>) => {
          for (const [status, count] of Object.entries(data)) {
            answers.set(status, (answers.get(status) ?? 0) + count);
          }
        });
        honest.reset();
        worker.postMessage({ kind, url, blocks, classHash } satisfies FeederFloodOrder);
        const lagMs = await worstLagMs(chain, node, FLOOD_MS[scale], 3 * mostLagMs);
        const endsAtMs = performance.now() + FIRST_ANSWER_MS;
        while (answers.size === 0 && performance.now() < endsAtMs) await Bun.sleep(50);
        worker.terminate();
        const slowest = Math.max(...Object.values(honest.report().slowestMs));
        const counts = [...answers].map(([status, count]) => `${count}x${status}`).join(" ");
        figures.push(
          `${kind} lag ${lagMs.toFixed(0)} ms, wait ${slowest.toFixed(0)} ms (${counts})`,
        );
        held &&= lagMs < mostLagMs && slowest < waitMs && answers.size > 0 && !answers.has("500");
      }
      const { errors, received } = await honest.stop();
      figures.push(`${errors.length} errors`, ...errors.slice(0, 1));
      held &&= errors.length === 0 && received.length > 0;
      return { held, figures: figures.join(", ") };
    } finally {
      await honest.stop();
      await Promise.all([node.stop("SIGKILL"), chain.stop("SIGKILL")]);
    }
  },
};

/** Longest time that a full node was behind the sequencer. */
async function worstLagMs(
  chain: Pick<RunningNode, "url">,
  node: Pick<RunningNode, "url">,
  forMs: number,
  mostMs: number,
): Promise<number> {
  const endsAtMs = performance.now() + forMs;
  /** Time when the sequencer was first seen with a block that the full node lacks. */
  const since = new Map<number, number>();
  let seen = await resultOf<number>(chain, "starknet_blockNumber");
  let worst = 0;
  // After the deadline, continues until the node has all blocks seen so far.
  while (performance.now() < endsAtMs || since.size > 0) {
    const newest = await resultOf<number>(chain, "starknet_blockNumber");
    const nowMs = performance.now();
    if (nowMs < endsAtMs) for (; seen < newest; seen++) since.set(seen + 1, nowMs);
    const has = await resultOf<number>(node, "starknet_blockNumber");
    for (const [number, atMs] of since) {
      worst = Math.max(worst, performance.now() - atMs);
      if (number <= has) since.delete(number);
    }
    if (worst > mostMs) return worst;
    await Bun.sleep(PAUSE_MS);
  }
  return worst;
}
