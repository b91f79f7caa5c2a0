import { type RunningChain, startChain } from "#test/helpers/binary.ts";
import { startFollower } from "#test/helpers/follower.ts";
import { metricOf, untilCaughtUp, untilSo } from "#test/helpers/follower-state.ts";
import { makeBlocks, makeMint, ON_DEMAND } from "#test/helpers/gateway-chain.ts";
import { behind, changed, cut, hanging, status, throttled } from "#test/helpers/gateway-lies.ts";
import { type Lie, startGatewayProxy } from "#test/helpers/gateway-proxy.ts";
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

const BLOCKS = 5;

/** Grace time in which a node without news from its source stays ready. */
const GRACE_SECONDS = { small: 12, full: 60 } as const;

/** Deadline for the log to name a failing source. */
const LOG_MS = 10_000;

/**
 * Deadlines for `/ready` to change after the grace time, and for blocks once the gateway is honest.
 */
const READY_MS = 3_000;
const RECOVERY_MS = 30_000;

const ACCEPTED = ["get_block", "get_state_update"];
const PENDING = ["get_preconfirmed_block"];

interface Failure {
  readonly name: string;
  readonly routes: readonly string[];
  readonly lie: Lie;
}

/** Ways to withhold accepted blocks while pre-confirmed ones arrive. */
const FAILURES: readonly Failure[] = [
  { name: "status 500", routes: ACCEPTED, lie: status(500) },
  { name: "hanging", routes: ACCEPTED, lie: hanging },
  { name: "hanging blocks", routes: ["get_state_update"], lie: hanging },
  { name: "cut", routes: ACCEPTED, lie: cut },
  { name: "throttled", routes: ACCEPTED, lie: throttled(600) },
  { name: "no blocks", routes: ACCEPTED, lie: behind(1_000) },
];

/** Names of the {@link FAILURES} that suffice to show the fault. */
const SMALL = ["status 500", "hanging blocks"];

/** A gateway that serves pre-confirmed but no accepted blocks, and one that does the opposite. */
export const HALF_DEAD_GATEWAY: Attack = {
  name: "half-dead-gateway",
  about:
    "a full node logs within 10 s that accepted blocks are missing, and is not ready after the grace time",
  async run(scale: AttackScale): Promise<AttackReport> {
    using folder = temporaryFolder();
    const { url: gateway, args } = await withGateway(ON_DEMAND);
    const chain = await startChain({ basePath: folder.path, args });
    const failures = FAILURES.filter(({ name }) => scale === "full" || SMALL.includes(name));
    try {
      await makeBlocks(chain, BLOCKS);
      const made = new MadeBlock(chain, failures.length + 1);
      const outcomes = await Promise.all([
        ...failures.map((failure) => withoutBlocks(failure, { scale, gateway, chain, made })),
        withBadPending({ scale, gateway, chain, made }),
      ]);
      return reportOf(outcomes);
    } finally {
      await chain.stop("SIGKILL");
    }
  },
};

/** A block that the chain produces once all gateways lie. */
class MadeBlock {
  readonly #chain: RunningChain;
  readonly #made = Promise.withResolvers<void>();
  #waiting: number;

  constructor(chain: RunningChain, nodes: number) {
    this.#chain = chain;
    this.#waiting = nodes;
  }

  async ready(): Promise<void> {
    if (--this.#waiting === 0) await makeMint(this.#chain, 1).then(this.#made.resolve);
    await this.#made.promise;
  }
}

interface World {
  readonly scale: AttackScale;
  readonly gateway: string;
  readonly chain: RunningChain;
  readonly made: MadeBlock;
}

async function withoutBlocks(failure: Failure, world: World): Promise<Outcome> {
  const { scale, gateway, chain, made } = world;
  const { name, routes, lie } = failure;
  using folder = temporaryFolder();
  await using proxy = await startGatewayProxy(gateway);
  const graceMs = GRACE_SECONDS[scale] * 1_000;
  const node = await startFollower(folder.path, {
    gateways: [proxy.url],
    args: ["--source-grace", `${GRACE_SECONDS[scale]}s`],
  });
  const faults: string[] = [];
  try {
    await untilCaughtUp(node, chain);
    const rule = proxy.add({ routes, lie });
    const beganMs = performance.now();
    await made.ready();
    const isSaid = (): boolean =>
      /gives no usable response|reports no blocks|is refused/.test(node.output());
    await untilSo("the log names the failure", node, isSaid, boundMs(scale, LOG_MS));
    const loggedMs = performance.now() - beganMs;
    while (performance.now() - beganMs < graceMs - 2_000) await Bun.sleep(50);
    const inGrace = await fetch(`${node.url}/ready?max_lag=3`);
    // On a machine that stalled, the grace time may be over.
    const isWithin = performance.now() - beganMs < graceMs - 1_000;
    if (isWithin && !inGrace.ok) faults.push(`not ready in the grace: ${await inGrace.text()}`);
    const isOut = async () => (await fetch(`${node.url}/ready?max_lag=3`)).status === 503;
    const leftMs = beganMs + graceMs + READY_MS - performance.now();
    await untilSo("not ready after the grace", node, isOut, boundMs(scale, leftMs));
    const outMs = performance.now() - beganMs;
    rule.end();
    const endedMs = performance.now();
    // A node asked to wait for ten minutes retries after one.
    await untilCaughtUp(node, chain, 2 * boundMs(scale, RECOVERY_MS) + 10_000);
    await untilSo("ready", node, async () => !(await isOut()), boundMs(scale, RECOVERY_MS));
    const times = [loggedMs, outMs, performance.now() - endedMs].map((ms) => ms.toFixed(0));
    return { said: `${name}: said, not ready, ready after ${times.join(", ")} ms`, faults };
  } catch (error) {
    return { said: name, faults: [...faults, String(error).slice(0, 2_000)] };
  } finally {
    await node.stop("SIGKILL");
  }
}

/** Wrong pre-confirmed blocks are dropped and counted, and the node stays ready. */
async function withBadPending({ scale, gateway, chain, made }: World): Promise<Outcome> {
  using folder = temporaryFolder();
  await using proxy = await startGatewayProxy(gateway);
  const node = await startFollower(folder.path, { gateways: [proxy.url] });
  const faults: string[] = [];
  const name = "bad pre-confirmed blocks";
  try {
    await untilCaughtUp(node, chain);
    proxy.add({ routes: PENDING, lie: changed((answer) => void (answer["timestamp"] = "soon")) });
    const isReady = async () => (await fetch(`${node.url}/ready`)).status === 200;
    await untilSo("ready", node, isReady, boundMs(scale, RECOVERY_MS));
    const metric = "appchain_sync_preconfirmed_dropped";
    const isDropped = async () => Object.keys(await metricOf(node, metric)).length > 0;
    await untilSo("a block is dropped", node, isDropped, boundMs(scale, RECOVERY_MS));
    if (!(await isReady())) faults.push("not ready");
    if (!node.output().includes("wrong pre-confirmed block")) faults.push("not logged");
    await made.ready();
    await untilCaughtUp(node, chain, boundMs(scale, RECOVERY_MS));
    if (!(await isReady())) faults.push("not ready with a new block");
    const dropped = Object.entries(await metricOf(node, metric))
      .flat()
      .join(" ");
    return { said: `${name}: ready throughout, dropped ${dropped}`, faults };
  } catch (error) {
    return { said: name, faults: [...faults, String(error).slice(0, 2_000)] };
  } finally {
    await node.stop("SIGKILL");
  }
}
