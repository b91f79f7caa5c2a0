import { type RunningChain, type RunningNode, startChain } from "#test/helpers/binary.ts";
import { startFollower } from "#test/helpers/follower.ts";
import { untilCaughtUp, untilRefused } from "#test/helpers/follower-state.ts";
import { blockHash, makeBlocks, ON_DEMAND } from "#test/helpers/gateway-chain.ts";
import { changed, type Json } from "#test/helpers/gateway-lies.ts";
import { type GatewayProxy, startGatewayProxy } from "#test/helpers/gateway-proxy.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { withGateway } from "#test/helpers/gateway-sends.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { type Attack, type AttackReport, type AttackScale, boundMs } from "./attack.ts";

const CHAIN_ID = "APPCHAIN_DEVNET";

/** A rejected block is requested again after at most ten seconds. */
const REFUSED_MS = 20_000;
const TAKEN_MS = 30_000;

interface Lie {
  readonly name: string;
  /** Verification mode of the node that must reject it. */
  readonly verify: "hashes" | "execution";
  /** The genesis block, which deploys and declares, or a block with a transfer. */
  readonly block: "genesis" | "transfer";
  readonly change: (answer: Json) => void;
}

const diffOf = (answer: Json) =>
  (answer as { state_update: { state_diff: Record<string, unknown[]> } }).state_update.state_diff;

/** Moves all entries of one list of the state diff to another. */
const moved = (from: string, to: string) => (answer: Json) => {
  const diff = diffOf(answer);
  diff[to] = [...(diff[to] ?? []), ...(diff[from] ?? []).splice(0)];
};

type Resources = Record<string, number> & {
  readonly builtin_instance_counter: Record<string, number>;
  readonly data_availability: Record<string, number>;
  readonly total_gas_consumed: Record<string, number>;
};

/** Changes the execution resources of the first receipt. */
const resources = (change: (resources: Resources) => void) => (answer: Json) => {
  const { block } = answer as {
    block: { transaction_receipts: { execution_resources: Resources }[] };
  };
  const [receipt] = block.transaction_receipts;
  if (receipt !== undefined) change(receipt.execution_resources);
};

const more = (of: Record<string, number>, name: string, by: number) =>
  void (of[name] = (of[name] ?? 0) + by);

/**
 * Changes that no hash covers: detected from the block and the previous state, or by executing it.
 */
const LIES: readonly Lie[] = [
  {
    name: "deployed as replaced",
    verify: "hashes",
    block: "genesis",
    change: moved("deployed_contracts", "replaced_classes"),
  },
  {
    name: "declared as migrated",
    verify: "hashes",
    block: "genesis",
    change: moved("declared_classes", "migrated_compiled_classes"),
  },
  ...[1, -1, 1_000_000].map((by): Lie => ({
    name: `L2 gas ${by}`,
    verify: "hashes",
    block: "transfer",
    change: resources(({ total_gas_consumed: gas }) => more(gas, "l2_gas", by)),
  })),
  ...["l1_gas", "l2_gas"].map((gas): Lie => ({
    name: `data availability in ${gas}`,
    verify: "hashes",
    block: "transfer",
    change: resources(({ data_availability: data }) => more(data, gas, 1)),
  })),
  ...["n_steps", "n_memory_holes"].map((name): Lie => ({
    name,
    verify: "execution",
    block: "transfer",
    change: resources((all) => more(all, name, 1)),
  })),
  {
    name: "builtins",
    verify: "execution",
    block: "transfer",
    change: resources(({ builtin_instance_counter: builtins }) => {
      more(builtins, "range_check_builtin", 1);
    }),
  },
  {
    name: "less data gas",
    verify: "execution",
    block: "transfer",
    change: resources(({ data_availability: data }) => more(data, "l1_data_gas", -1)),
  },
];

/** Names of the {@link LIES} that suffice to show the fault. */
const SMALL = ["deployed as replaced", "L2 gas 1", "n_steps"];

/** A gateway that falsifies data that no hash covers. */
export const GATEWAY_LIES: Attack = {
  name: "gateway-lies",
  about:
    "a full node rejects falsified data that no hash covers, and accepts the block once it is right",
  async run(scale: AttackScale): Promise<AttackReport> {
    using folder = temporaryFolder();
    const { url: gateway, args } = await withGateway(ON_DEMAND);
    const chain = await startChain({ basePath: folder.path, args });
    const lies = LIES.filter(({ name }) => scale === "full" || SMALL.includes(name));
    try {
      await using proxy = await startGatewayProxy(gateway);
      const world = new World(chain, proxy, scale);
      const faults: string[] = [];
      const beganMs = performance.now();
      for (const verify of ["hashes", "execution"] as const) {
        const matching = lies.filter((lie) => lie.verify === verify);
        if (matching.length > 0) faults.push(...(await world.tell(matching, verify)));
      }
      const took = ((performance.now() - beganMs) / 1_000).toFixed(1);
      const refused = `${lies.length - faults.length} of ${lies.length} lies refused in ${took} s`;
      return { held: faults.length === 0, figures: [refused, ...faults].join(", ") };
    } finally {
      await chain.stop("SIGKILL");
    }
  },
};

class World {
  readonly #chain: RunningChain;
  readonly #proxy: GatewayProxy;
  readonly #scale: AttackScale;
  #nonce = 0n;

  constructor(chain: RunningChain, proxy: GatewayProxy, scale: AttackScale) {
    this.#chain = chain;
    this.#proxy = proxy;
    this.#scale = scale;
  }

  /** Serves lies to nodes. @returns those that were not rejected, or not recovered from */
  async tell(lies: readonly Lie[], verify: Lie["verify"]): Promise<readonly string[]> {
    const faults: string[] = [];
    for (const lie of lies.filter(({ block }) => block === "genesis")) {
      using folder = temporaryFolder();
      const rule = this.#lie(0, lie);
      const node = await this.#start(folder.path, verify);
      faults.push(...(await this.#refused(node, lie, 0, rule)));
      await node.stop("SIGKILL");
    }
    using folder = temporaryFolder();
    const node = await this.#start(folder.path, verify);
    try {
      await untilCaughtUp(node, this.#chain);
      for (const lie of lies.filter(({ block }) => block === "transfer")) {
        const number = (await this.#chain.provider.getBlockNumber()) + 1;
        const rule = this.#lie(number, lie);
        await this.#transfer();
        faults.push(...(await this.#refused(node, lie, number, rule)));
      }
    } finally {
      await node.stop("SIGKILL");
    }
    return faults;
  }

  #lie(blockNumber: number, { change }: Lie): ReturnType<GatewayProxy["add"]> {
    return this.#proxy.add({ routes: ["get_state_update"], blockNumber, lie: changed(change) });
  }

  #start(basePath: string, verify: Lie["verify"]): Promise<RunningNode> {
    return startFollower(basePath, { gateways: [this.#proxy.url], args: ["--verify", verify] });
  }

  async #refused(
    node: RunningNode,
    { name }: Lie,
    number: number,
    rule: ReturnType<GatewayProxy["add"]>,
  ): Promise<readonly string[]> {
    try {
      const reason = new RegExp(`block ${number} is refused`);
      await untilRefused(node, reason, boundMs(this.#scale, REFUSED_MS));
      rule.end();
      await untilCaughtUp(node, this.#chain, boundMs(this.#scale, TAKEN_MS));
      const [ours, theirs] = await Promise.all([
        blockHash(node, number),
        blockHash(this.#chain, number),
      ]);
      return ours === theirs ? [] : [`${name}: block ${number} is another one`];
    } catch (error) {
      rule.end();
      return [`${name}: ${String(error).slice(0, 1_000)}`];
    }
  }

  async #transfer(): Promise<void> {
    const { body } = signedTransfer(CHAIN_ID, this.#chain.signer(0), this.#nonce++, 0x77n);
    const headers = { "content-type": "application/json" };
    await fetch(this.#chain.url, { method: "POST", headers, body });
    await makeBlocks(this.#chain, 1);
  }
}
