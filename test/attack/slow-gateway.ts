import { type RunningChain, startChain } from "#test/helpers/binary.ts";
import { startFollower } from "#test/helpers/follower.ts";
import { untilCaughtUp } from "#test/helpers/follower-state.ts";
import { makeBlocks, ON_DEMAND } from "#test/helpers/gateway-chain.ts";
import { bomb, endless } from "#test/helpers/gateway-lies.ts";
import { type Lie, startGatewayProxy } from "#test/helpers/gateway-proxy.ts";
import { MemoryWatch } from "#test/helpers/memory-watch.ts";
import { withGateway } from "#test/helpers/gateway-sends.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import {
  type Attack,
  type AttackReport,
  type AttackScale,
  boundMs,
  type Outcome,
  reportOf,
} from "./attack.ts";

const BLOCKS = 12;

/** Block whose response is hostile. */
const HOSTILE_BLOCK = 6;

/** How long one hostile response may delay a block of a node without another source. */
const BLOCKED_MS = 25_000;

/** Far below the decompressed size of the bombs, far above the needs of a full node. */
const MEMORY_BYTES = 1_500 * 2 ** 20;

const GIB = 2 ** 30;
const MIB = 2 ** 20;

interface Hostile {
  readonly name: string;
  readonly route: string;
  readonly lie: Lie;
}

const BLOCK = "get_state_update";

/** Responses that never end, or decompress to more than the limit. */
const HOSTILE: readonly Hostile[] = [
  { name: "block drips", route: BLOCK, lie: endless(" ", 50) },
  { name: "block comes at 64 KiB/s", route: BLOCK, lie: endless(" ".repeat(3_277), 50) },
  { name: "bomb of 1 GiB", route: BLOCK, lie: bomb(GIB) },
  { name: "bomb that claims 1 KiB", route: BLOCK, lie: bomb(GIB, 1_024) },
  { name: "bomb within the bound", route: BLOCK, lie: bomb(120 * MIB) },
  { name: "newest block drips", route: "get_block", lie: endless(" ", 50) },
  { name: "key drips", route: "get_public_key", lie: endless(" ", 50) },
  { name: "pre-confirmed block drips", route: "get_preconfirmed_block", lie: endless(" ", 50) },
];

/** Names of the {@link HOSTILE} cases that suffice to show the fault. */
const SMALL = ["block drips", "bomb of 1 GiB", "bomb that claims 1 KiB", "key drips"];

/** A gateway that responds endlessly slowly, or with bombs, to nodes that have no other one. */
export const SLOW_GATEWAY: Attack = {
  name: "slow-gateway",
  about: "a slow or decompression-bomb response delays a full node's blocks only for seconds",
  async run(scale: AttackScale): Promise<AttackReport> {
    using folder = temporaryFolder();
    const { url: gateway, args } = await withGateway(ON_DEMAND);
    const chain = await startChain({ basePath: folder.path, args });
    const hostile = HOSTILE.filter(({ name }) => scale === "full" || SMALL.includes(name));
    try {
      await makeBlocks(chain, BLOCKS);
      const outcomes = await Promise.all(
        hostile.map((each) => followed(each, { scale, gateway, chain })),
      );
      return reportOf(outcomes);
    } finally {
      await chain.stop("SIGKILL");
    }
  },
};

interface World {
  readonly scale: AttackScale;
  readonly gateway: string;
  readonly chain: RunningChain;
}

/** Follows a chain from the start with one hostile response to one request. */
async function followed(
  { name, route, lie }: Hostile,
  { scale, gateway, chain }: World,
): Promise<Outcome> {
  using folder = temporaryFolder();
  await using proxy = await startGatewayProxy(gateway);
  const block = route === BLOCK ? { blockNumber: HOSTILE_BLOCK } : {};
  const rule = proxy.add({ routes: [route], ...block, times: 1, lie });
  const node = await startFollower(folder.path, { gateways: [proxy.url] });
  const memory = new MemoryWatch(node.pid);
  const beganMs = performance.now();
  try {
    await untilCaughtUp(node, chain, boundMs(scale, BLOCKED_MS));
    const blockedMs = performance.now() - beganMs;
    const peak = memory.takePeak();
    const faults = [
      ...(peak > MEMORY_BYTES ? ["it took too much memory"] : []),
      ...(rule.used === 0 && route !== "get_preconfirmed_block" ? ["nothing was asked"] : []),
    ];
    const mib = (peak / MIB).toFixed(0);
    return { said: `${name}: all blocks after ${blockedMs.toFixed(0)} ms, ${mib} MiB`, faults };
  } catch (error) {
    return { said: name, faults: [String(error).slice(0, 2_000)] };
  } finally {
    memory.stop();
    await node.stop("SIGKILL");
  }
}
