/**
 * Prints the processor time that a running chain takes per request, for one or two executables:
 *
 *     bun test/bench/request-cpu.bench.ts OLD [NEW]
 *
 * Each round starts every executable anew, in turns and in the other order each time, asks for warmth
 * first and reads the time of the whole process from /proc. Requests go over connections that stay.
 */
import { resolve } from "node:path";
import { startChain } from "#test/helpers/binary.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { cpuMs, printPairs } from "./pairs.ts";

const CONNECTIONS = 16;
const STRK = "0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d";

const LOADS = [
  { name: "chain_blockNumber", method: "chain_blockNumber", params: [], count: 50_000 },
  {
    name: "chain_getStorageAt",
    method: "chain_getStorageAt",
    params: { contract_address: STRK, key: "0x1", block_id: "latest" },
    count: 20_000,
  },
] as const;

async function ask(port: number, body: string, count: number): Promise<void> {
  const head = `POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n`;
  const request = Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  let sent = 0;
  const connection = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const next = (socket: Bun.Socket): void => {
      if (sent++ < count) socket.write(request);
      else socket.end();
    };
    await Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: { open: next, data: next, close: () => resolve(), error: () => resolve() },
    });
    await promise;
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
}

/** @returns microseconds per request, one per load */
async function measure(binary: string): Promise<number[]> {
  using folder = temporaryFolder();
  const chain = await startChain({ basePath: folder.path, binary, args: ["--block-time", "1h"] });
  try {
    const found: number[] = [];
    for (const { method, params, count } of LOADS) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      await ask(chain.rpcPort, body, 10_000);
      const beforeMs = cpuMs(chain.pid);
      await ask(chain.rpcPort, body, count);
      found.push(((cpuMs(chain.pid) - beforeMs) * 1000) / count);
    }
    return found;
  } finally {
    await chain.stop();
  }
}

const figures = LOADS.map(({ name }) => `${name}, us of processor per request`);
await printPairs(process.argv.slice(2), figures, (binary) => measure(resolve(binary)));
