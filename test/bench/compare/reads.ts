import { join } from "node:path";
import { hexFromFelt } from "#base/primitives/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { rawCall } from "#test/helpers/binary.ts";
import { STRK } from "#test/helpers/tokens.ts";
import { cpuMs } from "../pairs.ts";
import { progress } from "./progress.ts";
import type { ReadReport } from "./read-report.ts";
import type { Results } from "./results.ts";
import { READ_METHODS, type ReadMethod } from "./rows.ts";
import { type RunningServer, type Server, startServer } from "./server.ts";
import { TransferProcess } from "./transfer-process.ts";

const CONNECTIONS = 32;
const WARM_UP_MS = 500;
const COUNTED_MS = 2_000;
const SENDERS = 64;
/** Number of transfers posted before the reads. */
const TRANSFERS_BEFORE = 256;
const SECONDS_OF_READING = (READ_METHODS.length * (WARM_UP_MS + COUNTED_MS + 1_500)) / 1_000;

interface Reading {
  readonly server: Server;
  readonly running: RunningServer;
  readonly transfers: TransferProcess;
  readonly bodies: Readonly<Record<ReadMethod, string>>;
  posted: number;
}

/**
 * Measures rows of reads. All servers run concurrently, as idle ones cost nothing, and are measured
 * in turn: first without other load, then each during transfers at a rate that it can handle.
 */
export async function measureReads(
  servers: readonly Server[],
  rounds: number,
  results: Results,
): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const readings: Reading[] = [];
  for (const server of servers) {
    const running = stack.use(await startServer(server, SENDERS));
    const transfers = stack.use(new TransferProcess());
    const posted = TRANSFERS_BEFORE + 1;
    const loads = rounds * Math.ceil(SECONDS_OF_READING * server.transfersBesideReads);
    await transfers.sign(server.chainId, running.accounts, posted + loads);
    const order = { ...running.target, from: 0, connections: SENDERS, perSecond: 0 };
    await transfers.post({ ...order, count: TRANSFERS_BEFORE });
    await transfers.post({ ...order, from: TRANSFERS_BEFORE, count: 1 });
    readings.push({ server, running, transfers, bodies: await bodiesOf(running), posted });
  }
  for (let round = 0; round < rounds; round++) {
    progress(`reads, round ${round + 1} of ${rounds}`);
    const inOrder = round % 2 === 0 ? readings : readings.toReversed();
    for (const method of READ_METHODS) {
      for (const { server, running, bodies } of inOrder) {
        const beforeMs = cpuMs(running.pid);
        const found = await read(running.port, bodies[method]);
        const processorMs = cpuMs(running.pid) - beforeMs;
        results.note(server.name, { [`read-${method}`]: found.perSecond });
        progress(`    ${costOf(found, processorMs)}`);
      }
    }
    const [ours] = readings;
    if (ours !== undefined) {
      const found = await readBare(ours.bodies.blockNumber);
      results.note(ours.server.name, { "read-bare": found.perSecond });
    }
    for (const reading of inOrder) await readBesideTransfers(reading, results);
  }
}

async function readBesideTransfers(reading: Reading, results: Results): Promise<void> {
  const { server, running, transfers, bodies } = reading;
  const count = Math.ceil(SECONDS_OF_READING * server.transfersBesideReads);
  const posting = transfers.post({
    ...running.target,
    from: reading.posted,
    count,
    connections: SENDERS,
    perSecond: server.transfersBesideReads,
  });
  reading.posted += count;
  for (const method of READ_METHODS) {
    const found = await read(running.port, bodies[method]);
    results.note(server.name, { [`p99-${method}`]: found.p99Ms });
  }
  const { seconds, posted } = await posting;
  progress(`    ${(posted / seconds).toFixed(0)} transfers/s meanwhile`);
}

function costOf({ perSecond, p99Ms, clientShare }: ReadReport, processorMs: number): string {
  const answers = (perSecond * (WARM_UP_MS + COUNTED_MS)) / 1000;
  return [
    `p99 ${p99Ms.toFixed(1)} ms`,
    `some ${((processorMs * 1000) / answers).toFixed(0)} us of processor each`,
    `the readers took ${(clientShare * 100).toFixed(0)} % of a core`,
  ].join("; ");
}

async function read(port: number, body: string): Promise<ReadReport> {
  const file = join(import.meta.dir, "read-client.ts");
  const numbers = [port, CONNECTIONS, WARM_UP_MS, COUNTED_MS].map(String);
  const child = Bun.spawn([process.execPath, file, ...numbers, body], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new TypeError(`reading failed: ${body}`);
  return JSON.parse(text) as ReadReport;
}

/** Reads from the server with a constant response; see its file. */
async function readBare(body: string): Promise<ReadReport> {
  await using child = Bun.spawn([process.execPath, join(import.meta.dir, "bare-server.ts")], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const { value } = await child.stdout.getReader().read();
  return await read(Number(new TextDecoder().decode(value)), body);
}

/** Request bodies about the newest block, which has one transfer. */
async function bodiesOf({ url, accounts }: RunningServer): Promise<Record<ReadMethod, string>> {
  const { result } = await rawCall(url, "starknet_getBlockWithTxHashes", { block_id: "latest" });
  const block = result as { readonly block_number: number; readonly transactions: string[] };
  const [hash = ""] = block.transactions;
  const address = accounts[0]?.address ?? "";
  const request = {
    contract_address: STRK,
    entry_point_selector: hexFromFelt(selectorFromName("balance_of")),
    calldata: [address],
  };
  const params: Record<ReadMethod, unknown> = {
    blockNumber: [],
    getStorageAt: { contract_address: STRK, key: "0x1", block_id: "latest" },
    getNonce: { block_id: "latest", contract_address: address },
    getClassHashAt: { block_id: "latest", contract_address: address },
    getBlockWithTxs: { block_id: { block_number: block.block_number } },
    getTransactionByHash: { transaction_hash: hash },
    getTransactionReceipt: { transaction_hash: hash },
    call: { request, block_id: "latest" },
  };
  const bodies = READ_METHODS.map((method) => [
    method,
    JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: `starknet_${method}`,
      params: params[method],
    }),
  ]);
  return Object.fromEntries(bodies) as Record<ReadMethod, string>;
}
