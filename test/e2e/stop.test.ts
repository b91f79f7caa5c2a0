import { afterEach, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { hexFromFelt } from "#base/primitives/index.ts";
import { ASYNC_SUBMISSION, rawCall, type RunningChain } from "#test/helpers/binary.ts";
import { hostileCall, writeHostileConfig } from "#test/helpers/hostile-config.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { STRK } from "#test/helpers/tokens.ts";
import { stallBoundMs } from "#test/helpers/stall.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { useChains } from "#test/helpers/use-chain.ts";
import { bySize } from "#test/helpers/test-size.ts";

const start = useChains();

/** Maximum time from SIGTERM to the exit of the process. */
const MAX_STOP_MS = stallBoundMs(5_000);

const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Opens a client that writes `text` and then only keeps its connection open. */
async function holdOpen(port: number, text: string, reads = true): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => undefined);
  if (reads) socket.resume();
  else socket.pause();
  await new Promise((resolve) => socket.once("connect", resolve));
  if (text !== "") socket.write(text);
  return socket;
}

function post(body: string, length = body.length): string {
  return `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

function request(method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: `starknet_${method}`, params });
}

/** Stops the chain. @returns its exit code and the time that it took */
async function timedStop(chain: RunningChain): Promise<{ code: number; ms: number }> {
  const startedMs = performance.now();
  const code = await chain.stop();
  return { code, ms: performance.now() - startedMs };
}

async function expectQuickStop(chain: RunningChain): Promise<void> {
  const { code, ms } = await timedStop(chain);
  expect(code).toBe(0);
  expect(ms).toBeLessThan(MAX_STOP_MS);
}

test("stops in time while clients hold unfinished and idle connections", async () => {
  const chain = await start();
  for (const port of [chain.rpcPort, chain.metricsPort]) {
    await holdOpen(port, "");
    await holdOpen(port, "POST / HTTP/1.1\r\nHo");
    await holdOpen(port, post("{", 1000));
    await holdOpen(port, "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    await holdOpen(
      port,
      "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
    );
  }
  await Bun.sleep(300);
  await expectQuickStop(chain);
}, 60_000);

test("stops in time while clients do not read large responses", async () => {
  const chain = await start();
  const classes = Array.from({ length: 100 }, (_, id) => ({
    jsonrpc: "2.0",
    id,
    method: "starknet_getClassAt",
    params: ["latest", STRK],
  }));
  for (let i = 0; i < 3; i++) await holdOpen(chain.rpcPort, post(JSON.stringify(classes)), false);
  await Bun.sleep(1_000);
  await expectQuickStop(chain);
}, 60_000);

test("stops in time during long calls, with hundreds queued", async () => {
  const chain = await start(({ path }) => ({
    chainConfig: writeHostileConfig(path),
    args: ["--dev-accounts", "1"],
  }));
  const body = request("call", hostileCall("pedersen", 1e9));
  for (let i = 0; i < 300; i++) await holdOpen(chain.rpcPort, post(body));
  // A later request has been served: the calls are queued, and two of them run.
  await fetch(`${chain.url}/health`);
  await Bun.sleep(300);
  await expectQuickStop(chain);
}, 60_000);

test("stops in time while a thousand submissions are pending", async () => {
  const chain = await start();
  const signer = { ...chain.signer(0), privateKey: 0x1234n };
  const bodies = Array.from({ length: 50 }, (_, i) =>
    signedTransfer("APPCHAIN_DEVNET", signer, BigInt(i % 10), BigInt(i)),
  );
  for (let i = 0; i < 1_000; i++) {
    await holdOpen(chain.rpcPort, post(bodies[i % bodies.length]?.body ?? ""));
  }
  await expectQuickStop(chain);
}, 60_000);

test("a stop under load loses no acknowledged transaction", async () => {
  const chain = await start({ env: ASYNC_SUBMISSION });
  const received: string[] = [];
  let isRunning = true;
  const senders = chain.accounts.map(async (_, index) => {
    const signer = chain.signer(index);
    for (let nonce = 0n; isRunning; nonce++) {
      const { hash, body } = signedTransfer(
        "APPCHAIN_DEVNET",
        signer,
        nonce,
        0xd0n + BigInt(index),
      );
      const answer = await fetch(chain.url, { method: "POST", body }).then(
        (response) => response.json() as Promise<{ result?: unknown }>,
        () => undefined,
      );
      if (answer?.result === undefined) return;
      received.push(hexFromFelt(hash));
    }
  });
  await Bun.sleep(bySize({ quick: 500, full: 1_500 }));
  await untilTrue(() => received.length > 10);
  const { code, ms } = await timedStop(chain);
  isRunning = false;
  await Promise.all(senders);
  expect([code, ms < MAX_STOP_MS]).toEqual([0, true]);
  expect(received.length).toBeGreaterThan(10);
  await chain.start({});
  for (const hash of received) {
    const { result } = await rawCall(chain.url, "starknet_getTransactionStatus", [hash]);
    expect([hash, result]).toEqual([
      hash,
      expect.objectContaining({ finality_status: expect.any(String) }),
    ]);
  }
  await expectQuickStop(chain);
}, 120_000);
