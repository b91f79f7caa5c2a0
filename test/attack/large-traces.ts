import { selectorFromName } from "#protocol/crypto/index.ts";
import { rawCall, SEVERAL_QUERY_THREADS, startChain } from "#test/helpers/binary.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { record } from "#test/contracts/hostile/contract.ts";
import { HonestLoad } from "#test/helpers/honest-load.ts";
import { executeWork } from "#test/helpers/hostile-clients.ts";
import { HOSTILE_ACCOUNTS, writeHostileConfig } from "#test/helpers/hostile-config.ts";
import { MemoryWatch } from "#test/helpers/memory-watch.ts";
import { type Attack, boundMs } from "./attack.ts";

/** Deadline of an honest client's request, on a busy machine. */
const HONEST_MS = 10_000;
/**
 * Memory for the cells of a machine, the arguments of its calls, and two traces of maximum size.
 */
const MEMORY_BYTES = 1_500 * 2 ** 20;

/** Felts that a transaction writes, and calls that pass all of them: together most of 10^9 gas. */
const SIZES = {
  small: { felts: 20_000, calls: 450 },
  full: { felts: 500_000, calls: 400 },
} as const;

const SMALL = record("steps", { count: 1 });

/** One paid transaction that is cheap to send, and whose trace exceeds any memory. */
export const LARGE_TRACES: Attack = {
  name: "large-traces",
  about:
    "traces of a transaction with megabytes of calldata in its calls are served in bounded memory",

  async run(scale) {
    const { felts, calls } = SIZES[scale === "small" ? "small" : "full"];
    const target = { a: HOSTILE_ACCOUNTS.execute, b: selectorFromName("__validate_declare__") };
    const large = record("call_with_array", { ...target, c: BigInt(felts), count: calls });
    using folder = temporaryFolder();
    const chain = await startChain({
      basePath: folder.path,
      chainConfig: writeHostileConfig(folder.path),
      args: ["--dev-accounts", "4"],
      env: SEVERAL_QUERY_THREADS,
    });
    const { url } = chain;
    const memory = new MemoryWatch(chain.pid);
    const honestMs = boundMs(scale, HONEST_MS);
    const problems: string[] = [];
    try {
      const hashes: string[] = [];
      for (const [nonce, work] of [SMALL, large, SMALL].entries()) {
        const { result, error } = await executeWork(url, BigInt(nonce), work);
        if (error !== undefined) problems.push(`not received: ${JSON.stringify(error)}`);
        hashes.push((result as { transaction_hash?: string } | undefined)?.transaction_hash ?? "");
      }
      const blocks = await acceptedAll(url, hashes);
      const honest = new HonestLoad(chain, { chainId: "APPCHAIN_DEVNET", transfersPerSecond: 2 });
      honest.start();
      const startedMs = performance.now();
      let bytes = 0;
      const expectStream = async (what: string, method: string, params: unknown) => {
        const read = await readTrace(url, method, params);
        bytes += read.bytes;
        const problem = problemOf(read, felts * calls);
        if (problem !== undefined) problems.push(`${what}: ${problem}`);
      };
      const [first, traced, last] = hashes;
      const block = [{ block_number: blocks[1] }];
      await expectStream("its block", "traceBlockTransactions", block);
      await Promise.all([
        expectStream("it", "traceTransaction", [traced]),
        leaveEarly(url, traced),
        ...[first, last].map(async (hash) => {
          const { error } = await rawCall(url, "starknet_traceTransaction", [hash]);
          if (error !== undefined) problems.push(`a neighbour: ${JSON.stringify(error)}`);
        }),
      ]);
      const batch = JSON.stringify(await inBatch(url, traced)).slice(0, 300);
      if (!batch.includes("piece by piece")) problems.push(`in a batch: ${batch}`);
      const tookMs = Math.round(performance.now() - startedMs);
      const { slowestMs, errors } = await honest.stop();
      const slowest = Math.round(Math.max(...Object.values(slowestMs)));
      const peakBytes = memory.takePeak();
      if (slowest > honestMs) problems.push(`an honest request took ${slowest} ms`);
      if (errors.length > 0) problems.push(`honest clients met ${errors[0]}`);
      if (peakBytes > MEMORY_BYTES) problems.push(`it took ${peakBytes / 2 ** 20} MiB`);
      const figures =
        `${Math.round(bytes / 2 ** 20)} MiB of traces in ${tookMs} ms, honest clients at most ` +
        `${slowest} ms, ${Math.round(peakBytes / 2 ** 20)} MiB`;
      return { held: problems.length === 0, figures: [figures, ...problems].join("; ") };
    } finally {
      memory.stop();
      await chain.stop();
    }
  },
};

/** Contents read from a streamed response. */
interface ReadTrace {
  readonly bytes: number;
  /** Number of letters `x`: every felt in hexadecimal has one. */
  readonly felts: number;
  readonly head: string;
  readonly tail: string;
  /** Reason of a premature end; `undefined` for a complete response. */
  readonly cut: string | undefined;
}

const X = "x".charCodeAt(0);

async function readTrace(url: string, method: string, params: unknown): Promise<ReadTrace> {
  const answer = await post(url, { id: 1, method: `starknet_${method}`, params });
  const read = { bytes: 0, felts: 0, head: "", tail: "", cut: undefined as string | undefined };
  const decoder = new TextDecoder();
  try {
    for await (const piece of answer.body ?? []) {
      if (read.bytes === 0) read.head = decoder.decode(piece.subarray(0, 100));
      read.bytes += piece.byteLength;
      for (const byte of piece) if (byte === X) read.felts++;
      read.tail = decoder.decode(piece.subarray(-100));
    }
  } catch (error) {
    read.cut = String(error);
  }
  return read;
}

/** Fault of a trace that needs a minimum number of felts. */
function problemOf({ bytes, felts, head, tail, cut }: ReadTrace, least: number) {
  if (cut !== undefined) return `cut behind ${bytes} bytes: ${cut}`;
  if (!head.startsWith('{"jsonrpc":"2.0","id":1,"result":')) return `it begins ${head}`;
  if (!tail.endsWith("}")) return `it ends ${tail}`;
  return felts >= least ? undefined : `it has ${felts} felts of ${least}`;
}

/** Client that reads the beginning and closes its connection. */
async function leaveEarly(url: string, hash: string | undefined): Promise<void> {
  const answer = await post(url, { id: 1, method: "starknet_traceTransaction", params: [hash] });
  const reader = answer.body?.getReader();
  await reader?.read();
  await reader?.cancel();
}

async function inBatch(url: string, hash: string | undefined): Promise<unknown> {
  const request = { id: 1, method: "starknet_traceTransaction", params: [hash] };
  return (await post(url, [request])).json();
}

function post(url: string, request: object): Promise<Response> {
  const withVersion = (each: object): object => ({ jsonrpc: "2.0", ...each });
  const body = Array.isArray(request) ? request.map(withVersion) : withVersion(request);
  const headers = { "content-type": "application/json" };
  return fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Waits until all are accepted. @returns their blocks */
async function acceptedAll(url: string, hashes: readonly string[]): Promise<number[]> {
  const blocks: number[] = [];
  for (const hash of hashes) {
    for (let i = 0; i < 2_000; i++) {
      const { result } = await rawCall(url, "starknet_getTransactionReceipt", [hash]);
      const { finality_status, block_number = -1 } = (result ?? {}) as ReceiptPart;
      if (finality_status === "ACCEPTED_ON_L2") {
        blocks.push(block_number);
        break;
      }
      await Bun.sleep(50);
    }
  }
  return blocks;
}

interface ReceiptPart {
  readonly finality_status?: string;
  readonly block_number?: number;
}
