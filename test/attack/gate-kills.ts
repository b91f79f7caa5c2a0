import { decodeBundle } from "#protocol/chain/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { blockKey } from "#services/replication/index.ts";
import {
  ASYNC_SUBMISSION,
  freePort,
  resultOf,
  type RunningChain,
  type RunningNode,
  startChain,
  startNode,
} from "#test/helpers/binary.ts";
import { integerOfEnvironment } from "#test/helpers/environment.ts";
import { startFollower } from "#test/helpers/follower.ts";
import { metricOf, untilSo } from "#test/helpers/follower-state.ts";
import { KillLedger } from "#test/helpers/kill-ledger.ts";
import { NonceSender } from "#test/helpers/kill-load.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import {
  type LocalStoreServer,
  startStoreServer,
  STORE_ENVIRONMENT,
  type StoreRule,
} from "#test/helpers/store-server.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import type { Attack, AttackReport } from "./attack.ts";

/** Number of kills at each point. */
const KILLS = 10;
const CHAIN_ID = "APPCHAIN_DEVNET";
const NEVER_MS = 600_000;
/** Pause after each accepted transfer. */
const PAUSE_MS = 20;
/** Deadline until all received transactions are accepted. */
const SETTLE_MS = 60_000;
/** Time that a sequencer runs before it is killed. */
const LIFE_MS = 1_000;

/** Points of a kill: between commit and put, put and response, response and announcement. */
const POINTS = ["put", "answer", "announcement"] as const;
type Point = (typeof POINTS)[number];

/** A fifth of the requests to the store fail. */
const FAULTY: readonly StoreRule[] = (
  [
    [["PUT"], 409],
    [["PUT"], 412],
    [["PUT"], "lost"],
    [undefined, 500],
    [undefined, 507],
    [undefined, "down"],
  ] as const
).map(([methods, fault]) => ({ ...(methods && { methods }), fault, rate: 0.033 }));

/** Waits until the sequencer reaches the point of the kill. */
async function reach(point: Point, store: LocalStoreServer, chain: RunningChain): Promise<void> {
  const published = (): number => store.bucket.keys("test/blocks/").length;
  if (point === "announcement") {
    await store.setFaults({ rules: FAULTY });
    const before = published();
    await untilSo(point, chain, async () => {
      // As close to the response as possible, which nothing delays.
      for (let looks = 0; looks < 1_000 && published() === before; looks++) await Bun.sleep(0);
      return published() > before;
    });
    return;
  }
  const delay = point === "put" ? { beforeMs: NEVER_MS } : { afterMs: NEVER_MS };
  await store.setFaults({
    rules: [{ methods: ["PUT"], keys: "blocks/", ...delay }, ...FAULTY],
  });
  await untilSo(point, chain, async () => {
    if (point === "put") return (await metricOf(chain, "appchain_gate_waiting_seconds"))[""] !== 0;
    // The object is stored, and the block has not been announced.
    return published() > (await resultOf<number>(chain, "starknet_blockNumber")) + 1;
  });
}

const hashAt = async (node: Pick<RunningNode, "url">, number: number): Promise<string> => {
  const block = { block_number: number };
  const served = await resultOf<{ block_hash: string }>(node, "starknet_getBlockWithTxHashes", [
    block,
  ]);
  return served.block_hash;
};

/** Faults of the remaining chain; empty if there are no faults. */
async function findingsOf(
  store: LocalStoreServer,
  nodes: readonly RunningNode[],
  newest: number,
): Promise<readonly string[]> {
  const findings: string[] = [];
  let epoch = 0;
  for (let number = 0; number <= newest; number++) {
    const bundle = decodeBundle(store.bucket.get(`test/${blockKey(number)}`) ?? new Uint8Array());
    const hashes = await Promise.all(nodes.map((node) => hashAt(node, number)));
    const published = hexFromFelt(bundle.block.header.hash);
    if (hashes.some((hash) => hash !== published)) findings.push(`block ${number} is not one`);
    if (bundle.epoch < epoch) findings.push(`the epoch falls at block ${number}`);
    epoch = bundle.epoch;
  }
  for (const [key, count] of await store.writes()) {
    if (key.startsWith("test/blocks/") && count > 1) findings.push(`${key} was written ${count} x`);
  }
  return findings;
}

async function run(): Promise<AttackReport> {
  const seed = integerOfEnvironment("FUZZ_SEED") ?? Date.now() % 2 ** 32;
  using folder = temporaryFolder();
  await using store = await startStoreServer();
  const key = folder.file("signing.key");
  await Bun.write(key, "0x1234567890abcdef\n", { mode: 0o600 });
  const gatewayPort = String(await freePort());
  const shares = ["--publish-gate", store.storeUrl(), "--private-key-file", key];
  const options = {
    basePath: folder.file("leader"),
    args: [...shares, "--gateway-port", gatewayPort],
    env: { ...STORE_ENVIRONMENT, ...ASYNC_SUBMISSION },
  };
  let chain = await startChain(options);
  const followers = await Promise.all([
    startNode({
      basePath: folder.file("standby"),
      command: ["sequencer", "--preset", "devnet", "--standby", "--takeover-after", "600000"],
      args: shares,
      env: STORE_ENVIRONMENT,
    }),
    startFollower(folder.file("node"), {
      gateways: [`http://127.0.0.1:${gatewayPort}`],
      args: ["--follow", store.storeUrl()],
      env: STORE_ENVIRONMENT,
    }),
  ]);
  const signer = chain.signer(0);
  const bodyOf = (nonce: number): string =>
    signedTransfer(CHAIN_ID, signer, BigInt(nonce), 0xabcn).body;
  const sender = new NonceSender(bodyOf, {}, PAUSE_MS);
  const ledger = new KillLedger();
  /** Sends to the current process of the chain until it is killed. */
  const live = () => {
    let isAlive = true;
    const sending = sender.run({ chain, ledger, isAlive: () => isAlive });
    return () => {
      isAlive = false;
      return sending;
    };
  };
  let endLife = live();
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      for (const point of POINTS) {
        await Bun.sleep(LIFE_MS);
        await reach(point, store, chain);
        await chain.stop("SIGKILL");
        await endLife();
        await store.setFaults({ rules: FAULTY, seed: seed + kill });
        chain = await startChain(options);
        endLife = live();
      }
    }
    await endLife();
    await store.setFaults({});
    await ledger.verifyEnd(chain, SETTLE_MS);
    const newest = await resultOf<number>(chain, "starknet_blockNumber");
    for (const follower of followers) {
      await untilSo("caught up", follower, async () => {
        return (await resultOf<number>(follower, "starknet_blockNumber")) >= newest;
      });
    }
    const findings = await findingsOf(store, [chain, ...followers], newest);
    return {
      held: findings.length === 0 && ledger.counts.received > 0,
      figures:
        `${KILLS} kills at each of ${POINTS.length} points, ${ledger.counts.received} transfers in ${newest + 1} blocks, ` +
        `${findings.length === 0 ? "each once, three nodes agree" : findings.join("; ")} (FUZZ_SEED=${seed})`,
    };
  } finally {
    await Promise.all([chain, ...followers].map((node) => node.stop("SIGKILL")));
    await endLife();
  }
}

/** Kills around the publication of blocks. */
export const GATE_KILLS: Attack = {
  name: "gate-kills",
  about:
    "kills between a block's commit, put, response and announcement, on a faulty store, lose nothing",
  run,
};
