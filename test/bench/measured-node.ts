import { ASYNC_SUBMISSION, BINARY, rawCall, startChain } from "#test/helpers/binary.ts";
import { residentBytes } from "#test/helpers/memory-watch.ts";
import { signedTransfer, type SignedTransfer } from "#test/helpers/load.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { cpuMs } from "./pairs.ts";

const TRANSFERS = Number(process.env["TRANSFERS"] ?? 2000);
const ACCOUNTS = 100;
const CONNECTIONS = 32;

/** Figures of {@link measureNode}, in order. */
export const NODE_FIGURES: readonly string[] = [
  "start ms",
  "idle MiB",
  "ms of processor per transfer",
  "transfers per second",
];

/** Start options of a measured chain. */
export interface MeasuredNode {
  readonly binary: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The executable of this checkout with its defaults. */
export const PLAIN_NODE: MeasuredNode = { binary: BINARY, args: [], env: {} };

async function post(url: string, signed: readonly SignedTransfer[]): Promise<void> {
  let next = 0;
  const connection = async (): Promise<void> => {
    for (let each = signed[next++]; each !== undefined; each = signed[next++]) {
      const headers = { "content-type": "application/json" };
      await (await fetch(url, { method: "POST", headers, body: each.body })).arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
}

/**
 * Measures a development chain: milliseconds from start to the first response, idle resident MiB,
 * processor time of the whole process per transfer in milliseconds, and transfers per second until
 * the last one is ACCEPTED_ON_L2. `TRANSFERS` in the environment sets another number of them than
 * 2000.
 */
export async function measureNode({ binary, args, env }: MeasuredNode): Promise<number[]> {
  using folder = temporaryFolder();
  const startedMs = performance.now();
  const chain = await startChain({
    basePath: folder.path,
    binary,
    env: { ...ASYNC_SUBMISSION, ...env },
    args: ["--dev-accounts", String(ACCOUNTS), "--log-level", "warn", ...args],
  });
  const startMs = performance.now() - startedMs;
  try {
    await Bun.sleep(2000);
    const idleMiB = residentBytes(chain.pid) / 2 ** 20;
    const signed = Array.from({ length: TRANSFERS }, (_, i) => {
      const signer = chain.signer(i % ACCOUNTS);
      const nonce = BigInt(Math.floor(i / ACCOUNTS));
      return signedTransfer("APPCHAIN_DEVNET", signer, nonce, 0x10_0000_0000n + BigInt(i));
    });
    const cpuBefore = cpuMs(chain.pid);
    const postedMs = performance.now();
    await post(chain.url, signed);
    const last = `0x${(signed.at(-1)?.hash ?? 0n).toString(16)}`;
    for (;;) {
      const answer = (await rawCall(chain.url, "starknet_getTransactionStatus", [last])) as {
        readonly result?: { readonly finality_status: string };
      };
      if (answer.result?.finality_status === "ACCEPTED_ON_L2") break;
      await Bun.sleep(10);
    }
    const seconds = (performance.now() - postedMs) / 1000;
    return [startMs, idleMiB, (cpuMs(chain.pid) - cpuBefore) / TRANSFERS, TRANSFERS / seconds];
  } finally {
    await chain.stop();
  }
}
