/**
 * Prints what a publish gate costs a running chain, beside the same chain without one, in turns:
 *
 *     TRANSFERS=4000 ROUNDS=5 bun test/bench/publish-gate.bench.ts [STORE]
 *
 * Processor time per transfer of the whole process in milliseconds, and transfers a second until the last
 * one is ACCEPTED_ON_L2. `STORE` is `s3://...`, with keys in the environment; each round has a prefix of its
 * own below it. Left out: a store in a process of its own on this machine.
 */
import { basename } from "node:path";
import { ASYNC_SUBMISSION, rawCall, startChain } from "#test/helpers/binary.ts";
import { signedTransfer, type SignedTransfer } from "#test/helpers/load.ts";
import { startStoreProcess, STORE_ENVIRONMENT } from "#test/helpers/store-server.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { cpuMs, printPairs } from "./pairs.ts";

const TRANSFERS = Number(process.env["TRANSFERS"] ?? 4000);
const ACCOUNTS = 100;
const CONNECTIONS = 32;
const FIGURES = ["ms of processor per transfer", "transfers per second"];
const GIVEN = process.argv[2];

using storeFolder = temporaryFolder();
const own = GIVEN === undefined ? await startStoreProcess(storeFolder.path) : undefined;
let rounds = 0;

/** A store that nobody has used. */
function nextStore(): string {
  const prefix = `bench-${Date.now()}-${rounds++}`;
  if (GIVEN === undefined) return own?.storeUrl(prefix) ?? "";
  const [address = "", query = ""] = GIVEN.split("?");
  return `${address}/${prefix}?${query}`;
}

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

async function measure(what: string): Promise<number[]> {
  using folder = temporaryFolder();
  const gate = basename(what) === "with" ? ["--publish-gate", nextStore()] : [];
  const chain = await startChain({
    basePath: folder.path,
    env: { ...(GIVEN === undefined ? STORE_ENVIRONMENT : {}), ...ASYNC_SUBMISSION },
    args: ["--dev-accounts", String(ACCOUNTS), "--log-level", "warn", ...gate],
  });
  try {
    await Bun.sleep(2000);
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
    return [(cpuMs(chain.pid) - cpuBefore) / TRANSFERS, TRANSFERS / seconds];
  } finally {
    await chain.stop();
  }
}

await printPairs(["without", "with"], FIGURES, measure);
await own?.[Symbol.asyncDispose]();
