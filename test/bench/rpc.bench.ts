/**
 * Calls per second and response times over HTTP of `dist/appchain`, at 100 connections, during 200
 * transfers per second; single calls, then batches of 10. Chain, clients and senders are separate
 * processes on the same machine: the clients' processor time is printed.
 *
 * Every figure and quantile is the median of several short runs. Rounds go through all figures, so
 * that temporary load affects one run of each. The same block is requested repeatedly: its
 * responses are cached; `block-answers` measures how long they take to build.
 *
 * Arguments: seconds for each run (default 2), then names of methods (default: all). `ROUNDS` in
 * the environment sets another number of rounds than 5.
 */
import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";
import { hexFromFelt } from "#base/primitives/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { ASYNC_SUBMISSION, rawCall, startChain } from "#test/helpers/binary.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { STRK } from "#test/helpers/tokens.ts";
import { integerOfEnvironment } from "#test/helpers/environment.ts";
import { cpuMs, median } from "./pairs.ts";
import type { LoadReport } from "./rpc-load-report.ts";

const CONNECTIONS = 100;
const BATCH = 10;
const TRANSFERS_PER_SECOND = 200;
const ACCOUNTS = 100;
const BLOCK_SECONDS = 2;
/** Warm-up, start and end of the clients' process. */
const SECONDS_AROUND = 3;
const ROUNDS = integerOfEnvironment("ROUNDS") ?? 5;

const [secondsText = "2", ...wanted] = process.argv.slice(2);
const seconds = Number(secondsText);

using folder = temporaryFolder();
const chain = await startChain({
  basePath: folder.path,
  env: ASYNC_SUBMISSION,
  args: [
    ...["--dev-accounts", String(ACCOUNTS + 1), "--log-level", "warn"],
    // Blocks on demand would split the hundred transfers of the measured block.
    ...["--block-generation-on", String(BLOCK_SECONDS)],
  ],
});

async function resultOf(method: string, params: unknown = []): Promise<unknown> {
  const { result, error } = await rawCall(chain.url, method, params);
  if (error !== undefined) throw new TypeError(`${method}: ${JSON.stringify(error)}`);
  return result;
}

/** Produces the measured block: one transfer of each account but the last. */
async function fullBlock(): Promise<{ number: number; transactions: number; hash: string }> {
  const transfers = Array.from({ length: ACCOUNTS }, (_, i) =>
    signedTransfer("APPCHAIN_DEVNET", chain.signer(i), 0n, 0x9_0000n + BigInt(i)),
  );
  await fetch(chain.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: `[${transfers.map(({ body }) => body).join(",")}]`,
  });
  const hash = hexFromFelt(transfers.at(-1)?.hash ?? 0n);
  await chain.provider.waitForTransaction(hash, { retryInterval: 50 });
  let most = { number: 0, transactions: 0, hash };
  const newest = (await resultOf("starknet_blockNumber")) as number;
  for (let number = 1; number <= newest; number++) {
    const id = { block_number: number };
    const { length } = (
      (await resultOf("starknet_getBlockWithTxHashes", [id])) as { transactions: unknown[] }
    ).transactions;
    if (length > most.transactions) most = { ...most, number, transactions: length };
  }
  return most;
}

const block = await fullBlock();
const blockId = { block_number: block.number };
const reader = chain.accounts.at(-1)?.address;
const spare = signedTransfer("APPCHAIN_DEVNET", chain.signer(ACCOUNTS), 0n, 0x9_0000n);
const { params: transaction } = JSON.parse(spare.body) as { params: unknown[] };
const balanceOf = {
  contract_address: STRK,
  entry_point_selector: hexFromFelt(selectorFromName("balance_of")),
  calldata: [reader],
};
const ofBlock = `(${block.transactions} transactions)`;
const events = { from_block: blockId, to_block: blockId, address: STRK, chunk_size: 100 };

const REQUESTS: readonly (readonly [method: string, params: unknown, note?: string])[] = [
  ["blockNumber", []],
  ["getStorageAt", [STRK, "0x1", "latest"]],
  ["getTransactionByHash", [block.hash]],
  ["getTransactionReceipt", [block.hash]],
  ["getBlockWithReceipts", [blockId], ofBlock],
  ["getBlockWithTxs", [blockId], ofBlock],
  ["getBlockWithTxHashes", [blockId], ofBlock],
  ["getStateUpdate", [blockId], ofBlock],
  ["call", [balanceOf, "latest"], "(balance_of)"],
  ["estimateFee", [transaction, [], "latest"], "(a transfer)"],
  ["simulateTransactions", ["latest", transaction, []], "(a transfer)"],
  ["traceTransaction", [block.hash]],
  ["traceBlockTransactions", [blockId], ofBlock],
  ["getEvents", [events], "(100 events)"],
];
const chosen = REQUESTS.filter(([method]) => wanted.length === 0 || wanted.includes(method));

async function measure(body: string, calls: number): Promise<LoadReport> {
  const file = folder.file("body.json");
  await Bun.write(file, body);
  const args = [chain.rpcPort, file, calls, CONNECTIONS, seconds].map(String);
  const clients = Bun.spawn([process.execPath, join(import.meta.dir, "rpc-load.ts"), ...args], {
    stdout: "pipe",
    stderr: "inherit",
  });
  return JSON.parse(await new Response(clients.stdout).text()) as LoadReport;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

const keys = Array.from({ length: ACCOUNTS }, (_, i) => chain.signer(i)).flatMap((signer) => [
  hexFromFelt(signer.address),
  hexFromFelt(signer.privateKey),
]);
const loadSeconds = chosen.length * 2 * ROUNDS * (seconds + SECONDS_AROUND);
const senders = Bun.spawn(
  [
    process.execPath,
    join(import.meta.dir, "rpc-transfers.ts"),
    ...[chain.url, String(TRANSFERS_PER_SECOND), String(loadSeconds), ...keys],
  ],
  { stdin: "pipe", stdout: "pipe", stderr: "inherit" },
);
await senders.stdout.getReader().read();
void senders.stdin.write("go\n");
await senders.stdin.flush();

console.log(
  `medians of ${ROUNDS} runs of ${seconds} s: ${CONNECTIONS} connections, ${TRANSFERS_PER_SECOND} transfers/s besides, ${availableParallelism()} cores (${cpus()[0]?.model ?? "unknown"}) ` +
    "that chain, clients and senders share: percentages are of one core",
);
/** A run, with the share of one core that the chain used. */
interface Run extends LoadReport {
  readonly chainShare: number;
}

/** A measured request: one method, single or in batches. */
interface Figure {
  readonly name: string;
  readonly body: string;
  readonly calls: number;
  readonly runs: Run[];
}

const figures = chosen.flatMap(([method, params, note = ""]) =>
  [1, BATCH].map((calls): Figure => {
    const call = { jsonrpc: "2.0", id: 1, method: `starknet_${method}`, params };
    const body = JSON.stringify(calls === 1 ? call : Array.from({ length: calls }, () => call));
    const inBatches = calls === 1 ? "" : ` in batches of ${calls}`;
    return { name: `${method}${note === "" ? "" : ` ${note}`}${inBatches}`, body, calls, runs: [] };
  }),
);

async function runOf({ body, calls }: Figure): Promise<Run> {
  const chainCpuMs = cpuMs(chain.pid);
  const startedMs = performance.now();
  const found = await measure(body, calls);
  const chainShare = (cpuMs(chain.pid) - chainCpuMs) / (performance.now() - startedMs);
  return { ...found, chainShare };
}

function printFigure({ name, runs }: Figure): void {
  const middle = (pick: (run: Run) => number): number => median(runs.map(pick));
  const sum = (pick: (run: Run) => number): number =>
    runs.reduce((total, run) => total + pick(run), 0);
  const rates = runs.map(({ callsPerSecond }) => callsPerSecond);
  console.log(
    `${name}: ${median(rates).toFixed(0)} calls/s (${Math.min(...rates).toFixed(0)} to ${Math.max(...rates).toFixed(0)}), ` +
      `p50 ${middle(({ p50Ms }) => p50Ms).toFixed(1)} ms, p99 ${middle(({ p99Ms }) => p99Ms).toFixed(1)} ms, ` +
      `${sum(({ errors }) => errors)} of ${sum(({ responses }) => responses)} responses with errors; ` +
      `chain ${percent(middle(({ chainShare }) => chainShare))}, clients ${percent(middle(({ cpuShare }) => cpuShare))}`,
  );
}

const loadText = (): string => (loadavg()[0] ?? 0).toFixed(1);
const loadBefore = loadText();
const blocksBefore = (await resultOf("starknet_blockNumber")) as number;
const beganMs = performance.now();
for (let round = 0; round < ROUNDS; round++) {
  const inOrder = round % 2 === 0 ? figures : figures.toReversed();
  for (const figure of inOrder) figure.runs.push(await runOf(figure));
}
for (const figure of figures) printFigure(figure);
const tookSeconds = (performance.now() - beganMs) / 1000;
let included = 0;
const newest = (await resultOf("starknet_blockNumber")) as number;
for (let number = blocksBefore + 1; number <= newest; number++) {
  included += (await resultOf("starknet_getBlockTransactionCount", [
    { block_number: number },
  ])) as number;
}
console.log(
  `transfers in blocks meanwhile: ${(included / tookSeconds).toFixed(0)} per second; ` +
    `load of the machine before the first run: ${loadBefore}`,
);
senders.kill();
await chain.stop();
