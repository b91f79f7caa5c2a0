import { ASYNC_SUBMISSION, resultOf, type RunningNode, startChain } from "#test/helpers/binary.ts";
import { startFollower, waitForBlock } from "#test/helpers/follower.ts";
import { withGateway } from "#test/helpers/gateway-sends.ts";
import { HonestLoad } from "#test/helpers/honest-load.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import type { Attack, AttackReport, AttackScale } from "./attack.ts";
import type { FeederFlood, FeederFloodCounts, FeederFloodOrder } from "./feeder-flood.worker.ts";

const CHAIN_ID = "APPCHAIN_DEVNET";

/** A full node has a block within a fraction of this beside any flood of its sequencer. */
const LAG_MS = 10_000;

/** A client of the full node is answered in a fraction of this. */
const WAIT_MS = 6_000;

const TRANSFERS_PER_SECOND = { small: 20, full: 200 } as const;
const FLOOD_MS = { small: 3_000, full: 30_000 } as const;
const PAUSE_MS = 50;

/** Blocks that there are before the flood. */
const BLOCKS = 10;

const KINDS: readonly FeederFlood[] = ["blocks", "traces", "classes", "misses", "open blocks"];

/** A feeder gateway that is flooded, while a full node follows it and has clients of its own. */
export const FEEDER_FLOOD: Attack = {
  name: "feeder-flood",
  about: "a full node follows, and serves its clients, while the feeder gateway is flooded",
  async run(scale: AttackScale): Promise<AttackReport> {
    using chainFolder = temporaryFolder();
    using nodeFolder = temporaryFolder();
    const { url, args } = await withGateway(["--block-time", "500ms", "--log-level", "warn"]);
    const chain = await startChain({ basePath: chainFolder.path, args, env: ASYNC_SUBMISSION });
    const node = await startFollower(nodeFolder.path, { gateways: [url] });
    const honest = new HonestLoad(
      { ...chain, ...node },
      { chainId: CHAIN_ID, transfersPerSecond: TRANSFERS_PER_SECOND[scale] },
    );
    const figures: string[] = [];
    let held = true;
    try {
      await waitForBlock(node, 0);
      honest.start();
      await waitForBlock(node, BLOCKS);
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
        worker.postMessage({ kind, url, blocks: BLOCKS, classHash } satisfies FeederFloodOrder);
        const lagMs = await worstLagMs(chain, node, FLOOD_MS[scale]);
        worker.terminate();
        const slowest = Math.max(...Object.values(honest.report().slowestMs));
        const told = [...answers].map(([status, count]) => `${count}x${status}`).join(" ");
        figures.push(`${kind} lag ${lagMs.toFixed(0)} ms, wait ${slowest.toFixed(0)} ms (${told})`);
        held &&= lagMs < LAG_MS && slowest < WAIT_MS && answers.size > 0 && !answers.has("500");
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

/** The longest time that a full node was without a block that the sequencer had. */
async function worstLagMs(
  chain: Pick<RunningNode, "url">,
  node: Pick<RunningNode, "url">,
  forMs: number,
): Promise<number> {
  const endsAtMs = performance.now() + forMs;
  /** When the sequencer was first seen with a block that the full node does not have. */
  const since = new Map<number, number>();
  let seen = await resultOf<number>(chain, "starknet_blockNumber");
  let worst = 0;
  // It goes on until the node has what there was when the time was over.
  while (performance.now() < endsAtMs || since.size > 0) {
    const newest = await resultOf<number>(chain, "starknet_blockNumber");
    const nowMs = performance.now();
    if (nowMs < endsAtMs) for (; seen < newest; seen++) since.set(seen + 1, nowMs);
    const has = await resultOf<number>(node, "starknet_blockNumber");
    for (const [number, atMs] of since) {
      worst = Math.max(worst, performance.now() - atMs);
      if (number <= has) since.delete(number);
    }
    if (worst > 3 * LAG_MS) return worst;
    await Bun.sleep(PAUSE_MS);
  }
  return worst;
}
