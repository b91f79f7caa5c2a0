/**
 * Subscriptions of `dist/appchain` under load: subscribers to blocks and to the transfers of one
 * account, some to all events, during 200 transfers per second, and one client that does not read;
 * then 50 that start from the first block. Each must receive everything once and in order. Chain,
 * subscribers and senders are separate processes on the same machine.
 *
 * Arguments: seconds of transfers (default 60), subscribers (default 1000; a twentieth subscribes
 * to all events).
 */
import { join } from "node:path";
import { availableParallelism, cpus } from "node:os";
import { hexFromFelt } from "#base/primitives/index.ts";
import { ASYNC_SUBMISSION, startChain } from "#test/helpers/binary.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { MemoryWatch, residentBytes } from "#test/helpers/memory-watch.ts";
import { RawConnection, rawHandshake } from "#test/helpers/raw-http.ts";
import { clientFrame } from "#test/helpers/ws-frames.ts";
import { cpuMs } from "./pairs.ts";
import type { SubscriberReport } from "./websocket-report.ts";
import {
  eventsIn,
  included,
  metric,
  Prober,
  resultOf,
  Subscribers,
  TRANSFER_KEY,
} from "./websocket-world.ts";

const TRANSFERS_PER_SECOND = 200;
const ACCOUNTS = 100;
const PROCESSES = 2;
const LATE_SUBSCRIBERS = 50;

const [secondsText = "60", subscribersText = "1000"] = process.argv.slice(2);
const [seconds, subscribers] = [Number(secondsText), Number(subscribersText)];
const ofAll = Math.ceil(subscribers / 20);

using folder = temporaryFolder();
const chain = await startChain({
  basePath: folder.path,
  env: ASYNC_SUBMISSION,
  args: [
    ...["--dev-accounts", String(ACCOUNTS + 1), "--log-level", "warn"],
    ...["--block-generation-on", "2", "--rpc-max-connections", String(subscribers + 1_000)],
  ],
});
const mib = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
const wsUrl = chain.url.replace("http", "ws");

/** Executes a transfer of each account, or of the last one. @returns the newest block afterwards */
async function transferOf(indices: readonly number[], nonce: bigint): Promise<number> {
  const transfers = indices.map((i) =>
    signedTransfer("APPCHAIN_DEVNET", chain.signer(i), nonce, 0x9n),
  );
  const body = `[${transfers.map((transfer) => transfer.body).join(",")}]`;
  const answer = await (await fetch(chain.url, { method: "POST", body })).text();
  if (answer.includes('"error":')) throw new TypeError(answer);
  for (const { hash } of transfers) {
    await included(chain.url, hexFromFelt(hash));
  }
  return (await resultOf(chain.url, "starknet_blockNumber")) as number;
}

const accounts = Array.from({ length: ACCOUNTS }, (_, i) => hexFromFelt(chain.signer(i).address));

function subscribersOf(index: number, count: number, all: number, from: string): Subscribers {
  return new Subscribers([wsUrl, index, count, all, from, TRANSFER_KEY, ...accounts]);
}

/** Compares subscribers' notifications with getEvents. @returns the differences */
async function wrongIn(
  reports: readonly SubscriberReport[],
  blocks: readonly [number, number],
  all: number,
): Promise<string[]> {
  const wanted = new Map<string, Awaited<ReturnType<typeof eventsIn>>>();
  const wantedOf = async (index: number) => {
    const account = index < all ? "" : (accounts[index % ACCOUNTS] ?? "");
    const keys = account === "" ? [] : [[TRANSFER_KEY], [account]];
    const known = wanted.get(account) ?? (await eventsIn(chain.url, blocks, keys));
    wanted.set(account, known);
    return known;
  };
  const wrong: string[] = [];
  for (const { index, heads, events, digest, closed } of reports) {
    const { count, text } = await wantedOf(index);
    const hasBlocks = heads > blocks[1] - blocks[0];
    if (closed === null && hasBlocks && events === count && digest === text) continue;
    wrong.push(
      `subscriber ${index}: ${heads} heads, ${events} events of ${count}, closed ${closed}`,
    );
  }
  return wrong;
}

/** A client that requests a lot and reads nothing. */
async function sleeper(): Promise<RawConnection> {
  const raw = await RawConnection.open(chain.rpcPort);
  raw.send(rawHandshake());
  await raw.responses(1);
  raw.pause();
  const method = "starknet_subscribeNewTransactionReceipts";
  const batch = Array.from({ length: 90 }, (_, id) => ({ jsonrpc: "2.0", id, method }));
  for (let i = 0; i < 5; i++) raw.send(clientFrame(JSON.stringify(batch)));
  return raw;
}

console.log(
  `${subscribers} subscribers, ${ofAll} of them to all events, ${TRANSFERS_PER_SECOND} transfers/s for ${seconds} s, ` +
    `${availableParallelism()} cores (${cpus()[0]?.model ?? "unknown"}) that chain, subscribers and senders share`,
);
const firstBlock = (await transferOf([...accounts.keys()], 0n)) + 1;
const memory = new MemoryWatch(chain.pid, 250);
console.log(`memory before: ${mib(residentBytes(chain.pid))}`);
const share = Math.ceil(subscribers / PROCESSES);
const clients = Array.from({ length: PROCESSES }, (_, i) =>
  subscribersOf(i * share, Math.min(share, subscribers - i * share), ofAll, "-"),
);
await Promise.all(clients.map((one) => one.ready()));
console.log(`memory with subscribers: ${mib(residentBytes(chain.pid))}`);
const asleep = await sleeper();

const senders = Bun.spawn(
  [
    ...[process.execPath, join(import.meta.dir, "rpc-transfers.ts"), chain.url],
    ...[String(TRANSFERS_PER_SECOND), String(seconds)],
    ...[...accounts.keys()].flatMap((i) => [
      hexFromFelt(chain.signer(i).address),
      hexFromFelt(chain.signer(i).privateKey),
    ]),
  ],
  { stdin: "pipe", stdout: "pipe", stderr: "inherit" },
);
await senders.stdout.getReader().read();
const prober = new Prober(chain);
const before = { ms: performance.now(), cpuMs: cpuMs(chain.pid), clients: clientCpu() };
void senders.stdin.write("go\n");
await senders.stdin.flush();
// The last sent transfers get their responses meanwhile.
await Bun.sleep(seconds * 1_000 + 1_000);
senders.kill();

function clientCpu(): number {
  return clients.reduce((sum, { pid }) => sum + cpuMs(pid), 0);
}

const tookMs = performance.now() - before.ms;
console.log(
  `chain ${percent((cpuMs(chain.pid) - before.cpuMs) / tookMs)} of a core, subscribers ${percent((clientCpu() - before.clients) / tookMs)}; ${prober.take()}`,
);
let last = await transferOf([ACCOUNTS], 0n);
await transferOf([ACCOUNTS], 1n);
last = Math.min(last, (await resultOf(chain.url, "starknet_blockNumber")) as number);
console.log(
  `everything is in blocks, up to ${last}, ${((performance.now() - before.ms) / 1000).toFixed(1)} s after the start`,
);
const sent = await metric(chain, "appchain_ws_subscription_notifications_sent");
const written = await metric(chain, "appchain_ws_subscription_notifications_written");
const reports = (await Promise.all(clients.map((one) => one.report(last)))).flat();
const wrong = await wrongIn(reports, [firstBlock, last], ofAll);
const events = [...sent].find(([labels]) => labels.includes("subscribeEvents"))?.[1] ?? 0;
console.log(
  `${reports.length - wrong.length} of ${reports.length} subscribers got everything once and in order; wrong: ${wrong.slice(0, 5).join("; ") || "none"}`,
);
console.log(
  `notifications of events: ${events}, ${Math.round(events / (tookMs / 1000))}/s; encoded ${[...written].map(([labels, count]) => `${labels} ${count}`).join(", ")}; events in blocks: ${(await eventsIn(chain.url, [firstBlock, last + 10])).count}`,
);
const dropped = await metric(chain, "appchain_ws_slow_clients_dropped");
const codes = await metric(chain, "appchain_ws_sessions_closed");
console.log(
  `slow clients dropped: ${dropped.get("")}; ended by code: ${JSON.stringify([...codes])}`,
);
asleep.close();
console.log(`memory at most: ${mib(memory.takePeak())}`);

prober.take();
const newest = (await resultOf(chain.url, "starknet_blockNumber")) as number;
const from = Math.max(1, newest - 1_000);
const wanted = await eventsIn(chain.url, [from, last]);
const lateMs = performance.now();
const lateCpuMs = cpuMs(chain.pid);
const late = subscribersOf(0, LATE_SUBSCRIBERS, LATE_SUBSCRIBERS, String(from));
await late.ready();
const lateReports = await late.report(last, wanted.count);
const backMs = performance.now() - lateMs;
const missing = lateReports.filter(({ digest }) => digest !== wanted.text);
console.log(
  `${LATE_SUBSCRIBERS} subscribers that begin with block ${from}: ${lateReports.length - missing.length} got all ${wanted.count} events in ${(backMs / 1000).toFixed(1)} s, chain ${percent((cpuMs(chain.pid) - lateCpuMs) / backMs)}; ${prober.take()}`,
);
await Bun.sleep(5_000);
console.log(
  `memory: at most ${mib(memory.takePeak())}, 5 s after all have gone ${mib(residentBytes(chain.pid))}`,
);
await prober.stop();
memory.stop();
await chain.stop();
