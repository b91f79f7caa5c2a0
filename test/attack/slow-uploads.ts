import { startChain } from "#test/helpers/binary.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { MemoryWatch } from "#test/helpers/memory-watch.ts";
import { type Attack, type AttackReport, type AttackScale, boundMs } from "./attack.ts";
import type { UploadOrder, Uploads } from "./slow-uploads.worker.ts";

/** Body size of an honest client: about a large class. */
const HONEST_BYTES = 3 << 20;

/** An honest body may be delayed for about a second; a breach takes many times that. */
const WAIT_MS = 4_000;

/** Memory for all bodies together, the extra of one connection, and its copies as text. */
const MEMORY_BYTES = 800 << 20;

const MIB = 1 << 20;

/** Time for the uploads to fill their buffers. */
const BEGIN_MS: Readonly<Record<AttackScale, number>> = { small: 1_000, full: 2_000 };

const TRICKLE: Uploads = {
  what: "six trickles",
  count: 6,
  bodyBytes: 15 * MIB,
  firstBytes: 0,
  bytesPerSecond: 85_000,
  via: "length",
};
const BURST = { ...TRICKLE, what: "bursts and trickles", count: 12, firstBytes: 10 * MIB };

const SMALL: readonly Uploads[] = [TRICKLE, BURST];

const FULL: readonly Uploads[] = [
  ...SMALL,
  { ...BURST, what: "bursts and silence", bytesPerSecond: 0 },
  { ...BURST, what: "chunks", via: "chunks" },
  { ...BURST, what: "WebSocket messages", via: "WebSocket" },
  { ...TRICKLE, what: "announced and not sent", count: 900, bytesPerSecond: 0 },
  { ...TRICKLE, what: "900 beginnings", count: 900, firstBytes: 100_000, bytesPerSecond: 1_000 },
  { ...TRICKLE, what: "60 at 256 KiB/s", count: 60, firstBytes: MIB, bytesPerSecond: 262_144 },
];

/** Long bodies that arrive slowly, or never, while an honest client sends one. */
export const SLOW_UPLOADS: Attack = {
  name: "slow-uploads",
  about: "slow long uploads do not delay long uploads of other clients",
  async run(scale: AttackScale): Promise<AttackReport> {
    using folder = temporaryFolder();
    const chain = await startChain({ basePath: folder.path, args: ["--log-level", "warn"] });
    const memory = new MemoryWatch(chain.pid);
    const waitMs = boundMs(scale, WAIT_MS);
    const figures: string[] = [];
    let held = true;
    try {
      const quiet = await slowestHonest(chain.url, 2);
      figures.push(`alone ${quiet.toFixed(0)} ms`);
      for (const uploads of scale === "small" ? SMALL : FULL) {
        const worker = new Worker(new URL("slow-uploads.worker.ts", import.meta.url));
        worker.postMessage({ port: chain.rpcPort, uploads } satisfies UploadOrder);
        await Bun.sleep(BEGIN_MS[scale]);
        const slowest = await slowestHonest(chain.url, scale === "small" ? 1 : 6);
        worker.terminate();
        figures.push(`${uploads.what} ${slowest.toFixed(0)} ms`);
        held &&= slowest < waitMs + quiet;
      }
      const peak = memory.takePeak();
      figures.push(`peak ${(peak / MIB).toFixed(0)} MiB`);
      held &&= peak < MEMORY_BYTES;
      return { held, figures: figures.join(", ") };
    } finally {
      memory.stop();
      await chain.stop("SIGKILL");
    }
  },
};

/** Slowest time of some honest bodies; `Infinity` if a response is wrong. */
async function slowestHonest(url: string, count: number): Promise<number> {
  const padding = "x".repeat(HONEST_BYTES);
  const body = `{"jsonrpc":"2.0","id":1,"method":"starknet_chainId","padding":"${padding}"}`;
  let slowest = 0;
  for (let i = 0; i < count; i++) {
    const begunMs = performance.now();
    const isAnswered = await fetch(url, {
      method: "POST",
      body,
      signal: AbortSignal.timeout(30_000),
    })
      .then((response) => response.json() as Promise<{ readonly result?: unknown }>)
      .then(
        ({ result }) => result !== undefined,
        () => false,
      );
    if (!isAnswered) return Infinity;
    slowest = Math.max(slowest, performance.now() - begunMs);
    await Bun.sleep(200);
  }
  return slowest;
}
