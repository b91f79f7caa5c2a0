import { ASYNC_SUBMISSION, startChain } from "#test/helpers/binary.ts";
import { withGateway } from "#test/helpers/gateway-sends.ts";
import { HonestLoad } from "#test/helpers/honest-load.ts";
import type { Signer } from "#test/helpers/load.ts";
import { MemoryWatch } from "#test/helpers/memory-watch.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { type Attack, type AttackReport, type AttackScale, boundMs } from "./attack.ts";
import type {
  GatewayFlood,
  GatewayFloodCounts,
  GatewayFloodOrder,
} from "./gateway-flood.worker.ts";

const CHAIN_ID = "APPCHAIN_DEVNET";

/** During any flood, a JSON-RPC client gets a response within a fraction of this. */
const WAIT_MS = 4_000;

/**
 * Usage is about 1 GiB, most of it garbage of bombs and long texts, if other programs do not delay
 * the collector. A leak would use far more.
 */
const MEMORY_BYTES = 3 * 2 ** 30;

/** Maximum wait of the attacker for its first response, if that is all that is missing. */
const FIRST_ANSWER_MS = 30_000;

const FLOOD_MS = { small: 400, full: 30_000 } as const;

/** Decompressed size of a bomb. */
const BOMB_BYTES = { small: 1 << 27, full: 1 << 30 } as const;

const MIB = 1 << 20;

/** Accounts of the honest clients; the others belong to the attacker. */
const HONEST_ACCOUNTS = 2;

const KINDS: readonly GatewayFlood[] = [
  "transfers",
  "bombs",
  "long bodies",
  "declarations",
  "long answers",
  "connections",
];

/** Floods a gateway in every way while others use JSON-RPC. */
export const GATEWAY_FLOOD: Attack = {
  name: "gateway-flood",
  about: "serves JSON-RPC clients while the gateway's port is flooded",
  async run(scale: AttackScale): Promise<AttackReport> {
    using folder = temporaryFolder();
    const { url, port, args } = await withGateway(["--log-level", "warn"]);
    const chain = await startChain({ basePath: folder.path, args, env: ASYNC_SUBMISSION });
    const memory = new MemoryWatch(chain.pid);
    const honest = new HonestLoad(chain, {
      chainId: CHAIN_ID,
      transfersPerSecond: 5,
      accounts: HONEST_ACCOUNTS,
    });
    honest.start();
    const [declarer, ...spenders] = chain.accounts
      .slice(HONEST_ACCOUNTS)
      .map((_, i) => chain.signer(i + HONEST_ACCOUNTS));
    // The class of a sender with a stale nonce is never decompressed.
    const signersOf = (kind: GatewayFlood): readonly Signer[] =>
      kind === "declarations" && declarer !== undefined ? [declarer] : spenders;
    const waitMs = boundMs(scale, WAIT_MS);
    const figures: string[] = [];
    let held = true;
    try {
      for (const kind of KINDS) {
        const worker = new Worker(new URL("gateway-flood.worker.ts", import.meta.url));
        const answers = new Map<string, number>();
        worker.addEventListener("message", ({ data }: MessageEvent<GatewayFloodCounts>) => {
          for (const [status, count] of Object.entries(data)) {
            answers.set(status, (answers.get(status) ?? 0) + count);
          }
        });
        honest.reset();
        worker.postMessage({
          kind,
          url,
          port,
          chainId: CHAIN_ID,
          bombBytes: BOMB_BYTES[scale],
          signers: signersOf(kind),
        } satisfies GatewayFloodOrder);
        await Bun.sleep(FLOOD_MS[scale]);
        const endsAtMs = performance.now() + FIRST_ANSWER_MS;
        while (answers.size === 0 && performance.now() < endsAtMs) await Bun.sleep(50);
        const slowest = Math.max(...Object.values(honest.report().slowestMs));
        worker.terminate();
        const counts = [...answers].map(([status, count]) => `${count}x${status}`).join(" ");
        const peak = memory.takePeak();
        figures.push(`${kind} ${slowest.toFixed(0)} ms ${(peak / MIB).toFixed(0)} MiB (${counts})`);
        held &&= peak < MEMORY_BYTES;
        held &&= slowest < waitMs && answers.size > 0 && !answers.has("500");
      }
      const { errors, received } = await honest.stop();
      figures.push(`${errors.length} errors`);
      if (errors[0] !== undefined) figures.push(errors[0]);
      held &&= errors.length === 0 && received.length > 0;
      return { held, figures: figures.join(", ") };
    } finally {
      memory.stop();
      await honest.stop();
      await chain.stop("SIGKILL");
    }
  },
};
