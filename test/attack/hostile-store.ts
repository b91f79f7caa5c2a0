import { rawCall, type RunningNode, startChain } from "#test/helpers/binary.ts";
import { startFollower } from "#test/helpers/follower.ts";
import { blockHash, makeMint, ON_DEMAND } from "#test/helpers/gateway-chain.ts";
import { lyingBucket } from "#test/helpers/lying-bucket.ts";
import { MemoryWatch } from "#test/helpers/memory-watch.ts";
import { openPublishedChain } from "#test/helpers/published-chain.ts";
import { createRandom } from "#test/helpers/random.ts";
import { STORE_ENVIRONMENT, STORE_KEYS } from "#test/helpers/store-server.ts";
import { memoryBucket } from "#test/helpers/store-server/objects.ts";
import { BUCKET, serveStore } from "#test/helpers/store-server/server.ts";
import { withGateway } from "#test/helpers/gateway-sends.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { type Attack, type AttackReport, type AttackScale, boundMs } from "./attack.ts";

const SEED = 20_261_123;

const BLOCKS = { small: 8, full: 60 } as const;
const KILLS = { small: 1, full: 20 } as const;
const HOSTILE_MS = { small: 1_500, full: 60_000 } as const;

/** Share of the responses that are lies. */
const LIES = 0.4;

/**
 * Minimum kinds of lies that the node must receive, and additional time for that on a busy machine.
 */
const FEWEST_KINDS = 6;
const MORE_MS = 60_000;

/** A client gets a response within a fraction of this. */
const WAIT_MS = 3_000;

/** A node with a chain of this size uses a fraction of this, whatever the store sends. */
const MEMORY_BYTES = 2 * 2 ** 30;

/** Once the store is honest, all blocks arrive within a fraction of this. */
const RECOVERY_MS = 30_000;

/** A store that lies, in bundles and listings, to a node that is killed occasionally. */
export const HOSTILE_STORE: Attack = {
  name: "hostile-store",
  about: "a follower serves correct blocks while its store lies and the node is killed",
  async run(scale: AttackScale): Promise<AttackReport> {
    using chainFolder = temporaryFolder();
    using nodeFolder = temporaryFolder();
    const random = createRandom(SEED);
    const bucket = lyingBucket(memoryBucket(), SEED);
    const store = await serveStore(bucket, { ...STORE_KEYS, region: "us-east-1" }, 0);
    const endpoint = `http://127.0.0.1:${store.port}`;
    const { url: gateway, args } = await withGateway(ON_DEMAND);
    const chain = await startChain({ basePath: chainFolder.path, args });
    const start = (): Promise<RunningNode> =>
      startFollower(nodeFolder.path, {
        gateways: ["http://127.0.0.1:9"],
        args: ["--follow", `s3://${BUCKET}/test?endpoint=${endpoint}`, "--log-level", "warn"],
        env: STORE_ENVIRONMENT,
      });
    const faults: string[] = [];
    let node: RunningNode | undefined;
    try {
      for (let block = 1; block <= BLOCKS[scale]; block++) await makeMint(chain, block);
      const keyUrl = `${gateway}/feeder_gateway/get_public_key`;
      const key = BigInt(String(await (await fetch(keyUrl)).json()));
      using published = await openPublishedChain(chainFolder.path, key);
      published.publish(bucket, BLOCKS[scale]);
      bucket.rate = LIES;
      const waitMs = boundMs(scale, WAIT_MS);
      const readers = new Readers();
      let peakBytes = 0;
      const pieceMs = HOSTILE_MS[scale] / (KILLS[scale] + 1);
      for (let piece = 0; piece <= KILLS[scale]; piece++) {
        node = await start();
        const memory = new MemoryWatch(node.pid);
        await readers.ask(node, pieceMs * (0.5 + random.below(1_000) / 1_000));
        peakBytes = Math.max(peakBytes, memory.takePeak());
        memory.stop();
        if (piece < KILLS[scale]) await node.stop("SIGKILL");
      }
      const endsAtMs = performance.now() + (scale === "small" ? MORE_MS : 0);
      while (node !== undefined && bucket.lieCounts.size < FEWEST_KINDS) {
        if (performance.now() >= endsAtMs || readers.faults.length > 0) break;
        await readers.ask(node, 100);
      }
      bucket.rate = 0;
      const beganMs = performance.now();
      while ((await latest(node)) < BLOCKS[scale]) {
        if (performance.now() - beganMs > boundMs(scale, RECOVERY_MS)) break;
        await Bun.sleep(100);
      }
      const recoveryMs = performance.now() - beganMs;
      for (let number = 0; number <= BLOCKS[scale]; number++) {
        if ((await blockHash(node ?? chain, number)) !== (await blockHash(chain, number))) {
          faults.push(`block ${number} is another one`);
        }
      }
      if (readers.slowestMs > waitMs) faults.push("a reader waited");
      if (peakBytes > MEMORY_BYTES) faults.push("it took too much memory");
      faults.push(...readers.faults);
      const lies = [...bucket.lieCounts].map(([name, count]) => `${count} ${name}`).join(" ");
      return {
        held: faults.length === 0 && bucket.lieCounts.size >= FEWEST_KINDS,
        figures: [
          `lies: ${lies}; ${KILLS[scale]} kills, ${readers.count} reads`,
          `wait ${readers.slowestMs.toFixed(0)} ms, memory ${(peakBytes / 2 ** 20).toFixed(0)} MiB`,
          `all blocks after ${recoveryMs.toFixed(0)} ms`,
          ...faults,
        ].join(", "),
      };
    } finally {
      await Promise.all([node?.stop("SIGKILL"), chain.stop("SIGKILL")]);
      await store.close();
    }
  },
};

/** Requests a node's newest block continuously. */
class Readers {
  count = 0;
  slowestMs = 0;
  readonly faults: string[] = [];

  async ask(node: RunningNode, forMs: number): Promise<void> {
    const endsAtMs = performance.now() + forMs;
    while (performance.now() < endsAtMs) {
      const beganMs = performance.now();
      try {
        await rawCall(node.url, "starknet_blockNumber");
      } catch (error) {
        this.faults.push(`a reader got no answer: ${String(error)}`);
        return;
      }
      this.count++;
      this.slowestMs = Math.max(this.slowestMs, performance.now() - beganMs);
      await Bun.sleep(20);
    }
  }
}

async function latest(node: RunningNode | undefined): Promise<number> {
  if (node === undefined) return -1;
  const { result } = await rawCall(node.url, "starknet_blockNumber");
  return typeof result === "number" ? result : -1;
}
