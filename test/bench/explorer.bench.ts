/**
 * What open pages of the explorer cost: 200 transfers a second on `dist/appchain` without and with 50 open pages, in turn on
 * new chains. Prints transfers per second until the last one is in a block, response times of the main thread, the processor
 * time of chain and pages, the index's bytes per transaction and the time to the first byte of the page.
 *
 * The bounds are a throughput of 0.95 of that without pages, and a p99 of the main thread of 1.5 times.
 *
 * Arguments: seconds of transfers (default 20), pairs of runs (default 2), pages (default 50), transfers per second (default
 * 200).
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { hexFromFelt } from "#base/primitives/index.ts";
import { ASYNC_SUBMISSION, startChain } from "#test/helpers/binary.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import type { PagesReport } from "./explorer-pages.ts";
import { quantile } from "./latency.ts";
import { cpuMs } from "./pairs.ts";
import { included, Prober, resultOf } from "./websocket-world.ts";

const ACCOUNTS = 100;

/** Longest wait for a transaction in a block, in milliseconds; a busy machine may lag behind. */
const MAX_WAIT_MS = 300_000;

const [seconds = 20, pairs = 2, pages = 50, rate = 200] = process.argv.slice(2).map(Number);

interface Figures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly chainCores: number;
  readonly pageCores: number;
}

/** Open pages, as a separate process. */
async function openPages(url: string, count: number) {
  const file = join(import.meta.dir, "explorer-pages.ts");
  const child = Bun.spawn([process.execPath, file, url, String(count)], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const output = child.stdout[Symbol.asyncIterator]();
  await output.next();
  return {
    pid: child.pid,
    async close(): Promise<PagesReport> {
      await child.stdin.end();
      const { value } = await output.next();
      return JSON.parse(new TextDecoder().decode(value)) as PagesReport;
    },
  };
}

async function measure(openCount: number): Promise<Figures> {
  using folder = temporaryFolder();
  const chain = await startChain({
    basePath: folder.path,
    env: ASYNC_SUBMISSION,
    args: [
      ...["--dev-accounts", String(ACCOUNTS), "--log-level", "warn"],
      ...["--block-generation-on", "2", "--explorer", "on"],
    ],
  });
  try {
    const signers = Array.from({ length: ACCOUNTS }, (_, i) => chain.signer(i));
    const first = signers.map((signer) => signedTransfer("APPCHAIN_DEVNET", signer, 0n, 0x9n));
    const body = `[${first.map((transfer) => transfer.body).join(",")}]`;
    await (await fetch(chain.url, { method: "POST", body })).arrayBuffer();
    for (const { hash } of first) await included(chain.url, hexFromFelt(hash), MAX_WAIT_MS);
    const clients = openCount === 0 ? null : await openPages(chain.url, openCount);
    const senders = Bun.spawn(
      [
        ...[process.execPath, join(import.meta.dir, "rpc-transfers.ts"), chain.url],
        ...[String(rate), String(seconds)],
        ...signers.flatMap(({ address, privateKey }) => [
          hexFromFelt(address),
          hexFromFelt(privateKey),
        ]),
      ],
      { stdin: "pipe", stdout: "pipe", stderr: "inherit" },
    );
    await senders.stdout.getReader().read();
    const times: number[] = [];
    const prober = new Prober(chain, (ms) => void times.push(ms));
    const before = {
      ms: performance.now(),
      cpuMs: cpuMs(chain.pid),
      pagesMs: clients === null ? 0 : cpuMs(clients.pid),
    };
    void senders.stdin.write("go\n");
    await senders.stdin.flush();
    await Bun.sleep(seconds * 1_000);
    // The last transfer that is sent, after all others of its account.
    const total = rate * seconds;
    const nonce = 1n + BigInt(Math.floor((total - 1) / ACCOUNTS));
    const signer = signers[(total - 1) % ACCOUNTS] ?? chain.signer(0);
    const recipient = 0x10_0000_0000n + BigInt(total - 1);
    const last = signedTransfer("APPCHAIN_DEVNET", signer, nonce, recipient);
    await included(chain.url, hexFromFelt(last.hash), MAX_WAIT_MS);
    const tookMs = performance.now() - before.ms;
    const cores = (spentMs: number): number => spentMs / tookMs;
    const figures = {
      perSecond: (total / tookMs) * 1_000,
      p50Ms: quantile(times, 0.5),
      p99Ms: quantile(times, 0.99),
      chainCores: cores(cpuMs(chain.pid) - before.cpuMs),
      pageCores: clients === null ? 0 : cores(cpuMs(clients.pid) - before.pagesMs),
    };
    await prober.stop();
    senders.kill();
    const report = await clients?.close();
    console.log(
      `${openCount} pages: ${lineOf(figures)}${report === undefined ? "" : `; ${report.loads} loads, ${report.errors} errors, ${report.heads} heads`}`,
    );
    if (clients === null) await printIndex(chain.url, folder.file("explorer.db"));
    return figures;
  } finally {
    await chain.stop();
  }
}

/** Prints the size of the index once it has all blocks, and the time to the first byte of the page. */
async function printIndex(url: string, path: string): Promise<void> {
  const head = (await resultOf(url, "starknet_blockNumber")) as number;
  for (let tries = 0; tries < 600; tries++) {
    const { indexed } = (await (await fetch(`${url}/explorer/api/status`)).json()) as {
      readonly indexed: { readonly to: number | null };
    };
    if ((indexed.to ?? -1) >= head) break;
    await Bun.sleep(100);
  }
  const bytes = ["", "-wal"].reduce(
    (sum, suffix) => sum + (statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  const times: number[] = [];
  for (let i = 0; i < 100; i++) {
    const startedMs = performance.now();
    const response = await fetch(`${url}/explorer/`);
    times.push(performance.now() - startedMs);
    await response.arrayBuffer();
  }
  const transactions = rate * seconds + ACCOUNTS;
  console.log(
    `index: ${(bytes / transactions).toFixed(0)} bytes per transaction with its log; ` +
      `first byte of /explorer/: p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`,
  );
}

function lineOf({ perSecond, p50Ms, p99Ms, chainCores, pageCores }: Figures): string {
  return (
    `${perSecond.toFixed(1)} transfers/s, main thread p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, ` +
    `chain ${chainCores.toFixed(2)} cores, pages ${pageCores.toFixed(2)} cores`
  );
}

const runs: { readonly without: Figures; readonly withPages: Figures }[] = [];
for (let pair = 0; pair < pairs; pair++) {
  const without = await measure(0);
  runs.push({ without, withPages: await measure(pages) });
}
const ratio = (name: keyof Figures): string =>
  quantile(
    runs.map(({ without, withPages }) => withPages[name] / without[name]),
    0.5,
  ).toFixed(2);
console.log(
  `with ${pages} pages: throughput ${ratio("perSecond")}x (at least 0.95x), p99 of the main thread ${ratio("p99Ms")}x (at most 1.5x)`,
);
