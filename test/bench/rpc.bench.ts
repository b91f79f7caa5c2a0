import { createMethodTables, createRpcServer } from "#api/rpc/index.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";

/**
 * Prints requests per second of point reads over HTTP. The load comes from a process of its own,
 * which writes one request and reads one response per connection at a time.
 */

const CONNECTIONS = 16;
const SECONDS = Number(process.argv[2] ?? 4);

const REQUESTS: readonly (readonly [name: string, method: string, params: unknown])[] = [
  ["blockNumber", "starknet_blockNumber", []],
  [
    "getStorageAt",
    "starknet_getStorageAt",
    { contract_address: "0xc0", key: "0x10", block_id: "latest" },
  ],
];

async function measure(port: number, body: string): Promise<number> {
  const request = Buffer.from(
    `POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const endMs = performance.now() + SECONDS * 1000;
  let responses = 0;
  const connection = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        open: (socket) => void socket.write(request),
        data(socket) {
          responses++;
          if (performance.now() < endMs) socket.write(request);
          else socket.end();
        },
        close: () => resolve(),
        error: () => resolve(),
      },
    });
    await promise;
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return responses / SECONDS;
}

const loadPort = Number(process.env["BENCH_LOAD_PORT"] ?? 0);
if (loadPort === 0) {
  const server = await createRpcServer({
    port: 0,
    context: sampleContext(),
    tables: createMethodTables(),
  });
  const load = Bun.spawn([process.execPath, import.meta.path, String(SECONDS)], {
    env: { ...process.env, BENCH_LOAD_PORT: String(server.port) },
    stdout: "inherit",
    stderr: "inherit",
  });
  await load.exited;
  await server.stop();
} else {
  for (const [name, method, params] of REQUESTS) {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const rate = await measure(loadPort, body);
    console.log(`rpc ${name}: ${Math.round(rate)} requests/s`);
  }
}
