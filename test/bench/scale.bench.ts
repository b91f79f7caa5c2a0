/**
 * Limits of a sequencer on computers with more cores, derived from its threads on this one:
 * processor time per transfer of each kind of thread, the maximum rate of one thread of each kind,
 * and the model of docs/performance.md. Transfers go to fresh recipients; responses come on
 * receipt.
 *
 * Argument: number of measured transfers (default 8000).
 */
import { BINARY } from "#test/helpers/binary.ts";
import { ourServerOnReceipt, type Server, startServer } from "./compare/server.ts";
import { TransferProcess } from "./compare/transfer-process.ts";
import { sharedHashingMs } from "./scale/hash-share.ts";
import { type Machine, predict, type TransferCosts } from "./scale/model.ts";
import { threadTimes } from "./scale/thread-times.ts";

const transfers = Number(process.argv[2] ?? 8000);
const WARM_UP = 4_000;
const SENDERS = 256;
const CONNECTIONS = 64;
const SEVERAL = 2;
const KINDS = ["main", "admission", "validator", "executor", "committer"];

/** Processor time per transfer of each kind of thread, in milliseconds. */
async function measure(server: Server): Promise<ReadonlyMap<string, number>> {
  using client = new TransferProcess();
  await using running = await startServer(server, SENDERS);
  await client.sign(server.chainId, running.accounts, WARM_UP + transfers);
  const post = (from: number, count: number) =>
    client.post({ ...running.target, from, count, connections: CONNECTIONS, perSecond: 0 });
  await post(0, WARM_UP);
  const before = threadTimes(running.pid);
  const { seconds } = await post(WARM_UP, transfers);
  const after = threadTimes(running.pid);
  console.log(`measured at ${(transfers / seconds).toFixed(0)} transfers/s`);
  await running.stop();
  return new Map(
    [...after].map(([kind, ms]) => [kind, (ms - (before.get(kind) ?? 0)) / transfers]),
  );
}

function withSeveral(server: Server): Server {
  const { command } = server;
  const option = ["--admission-threads", String(SEVERAL)];
  return { ...server, command: (...args) => [...command(...args), ...option] };
}

function hasOption(): boolean {
  const help = Bun.spawnSync([BINARY, "sequencer", "--help"], { cwd: "/" });
  return help.stdout.toString().includes("--admission-threads");
}

const printed = (ms: number): string => ms.toFixed(3).padStart(8);

function printThreads(title: string, times: ReadonlyMap<string, number>): void {
  console.log(`${title}: ms of processor per transfer, and what one thread can do at most`);
  for (const kind of KINDS) {
    const ms = times.get(kind);
    if (ms === undefined) continue;
    console.log(`  ${kind.padEnd(12)}${printed(ms)}${(1000 / ms).toFixed(0).padStart(8)}/s`);
  }
  const others = [...times].filter(([kind, ms]) => !KINDS.includes(kind) && ms > 0.001);
  for (const [kind, ms] of others) console.log(`  ${kind.padEnd(12)}${printed(ms)}`);
}

const server = ourServerOnReceipt();
const alone = await measure(server);
printThreads("one admission thread", alone);
const several = hasOption() ? await measure(withSeveral(server)) : null;
if (several !== null) printThreads(`${SEVERAL} admission threads`, several);

const msOf = (times: ReadonlyMap<string, number>, kind: string): number => times.get(kind) ?? 0;
const costs: TransferCosts = {
  main: msOf(alone, "main"),
  admission: msOf(alone, "admission"),
  mempool: several && msOf(several, "admission"),
  validation: several && msOf(several, "validator"),
  executor: msOf(alone, "executor"),
  committer: msOf(alone, "committer"),
  hashing: Math.min(sharedHashingMs(), msOf(alone, "committer")),
  others: [...alone].reduce((sum, [kind, ms]) => (KINDS.includes(kind) ? sum : sum + ms), 0),
};
console.log(`  of the committer's, hashes that others may help with: ${printed(costs.hashing)}`);

console.log("cores  admission threads  hash threads  transfers/s at most  limit");
const MACHINES: readonly Machine[] = [
  { cores: 2, admissionThreads: 1, hashThreads: 0 },
  { cores: 4, admissionThreads: 1, hashThreads: 2 },
  { cores: 4, admissionThreads: 2, hashThreads: 2 },
  { cores: 8, admissionThreads: 2, hashThreads: 3 },
  { cores: 8, admissionThreads: 4, hashThreads: 0 },
  { cores: 8, admissionThreads: 4, hashThreads: 3 },
  { cores: 32, admissionThreads: 8, hashThreads: 3 },
];
for (const machine of MACHINES) {
  const found = predict(costs, machine);
  const { cores, admissionThreads, hashThreads } = machine;
  const words = [String(cores).padStart(5), String(admissionThreads).padStart(19)];
  words.push(String(hashThreads).padStart(14));
  words.push((found?.transfersPerSecond.toFixed(0) ?? "not measured").padStart(21));
  console.log(`${words.join("")}  ${found?.limit ?? ""}`);
}
