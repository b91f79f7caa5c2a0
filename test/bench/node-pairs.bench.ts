/**
 * Prints what a running chain costs, for one or two executables in turns:
 *
 *     TRANSFERS=2000 ROUNDS=7 bun test/bench/node-pairs.bench.ts OLD [NEW]
 *
 * Milliseconds from start to the first answer, resident MiB when idle, processor time per transfer of the
 * whole process in milliseconds, and transfers a second until the last one is ACCEPTED_ON_L2.
 */
import { ASYNC_SUBMISSION, rawCall, startChain } from "#test/helpers/binary.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { signedTransfer, type SignedTransfer } from "#test/helpers/load.ts";
import { residentBytes } from "#test/helpers/memory-watch.ts";
import { cpuMs, printPairs } from "./pairs.ts";

const TRANSFERS = Number(process.env["TRANSFERS"] ?? 2000);
const ACCOUNTS = 100;
const CONNECTIONS = 32;
const FIGURES = ["start ms", "idle MiB", "ms of processor per transfer", "transfers per second"];

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

async function measure(binary: string): Promise<number[]> {
  using folder = temporaryFolder();
  const startedMs = performance.now();
  const chain = await startChain({
    basePath: folder.path,
    binary,
    env: ASYNC_SUBMISSION,
    args: ["--dev-accounts", String(ACCOUNTS), "--log-level", "warn"],
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

await printPairs(process.argv.slice(2), FIGURES, measure);
