import { afterEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { handOverMempool } from "#app/node/sync/forwarding/hand-over.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import { chainIdFelt } from "#app/node/setup/setup.ts";
import { hexFromFelt, SYSTEM_TIMER } from "#base/primitives/index.ts";
import { createNodeMetrics } from "#base/metrics/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { openMempoolStore } from "#io/storage/index.ts";
import { encodeTransaction, transactionHash } from "#protocol/chain/index.ts";
import { loadChainConfig } from "#protocol/config/index.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";

const folder = useFolder();
const { config } = await loadChainConfig({ preset: "devnet", role: "full" });
const hashes = [0n, 1n].map((nonce) =>
  transactionHash(emptyInvoke(1n, nonce), chainIdFelt(config)),
);
const servers: { stop(closes: boolean): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop(true)));
});

/** A data directory with two transactions in its mempool. */
async function waiting(name: string) {
  const files = nodeFiles(folder.file(name), null);
  await Bun.write(folder.file(`${name}/here`), "");
  const store = await openMempoolStore(files.mempoolDatabase, config.chainId);
  store.put(
    hashes.map((hash, i) => {
      const transaction = emptyInvoke(1n, BigInt(i));
      return { hash, receivedAtMs: 0, bytes: encodeTransaction({ hash, transaction }) };
    }),
  );
  store.close();
  return files;
}

/** A sequencer with this response. */
function sequencer(answer: (count: number) => Response | Promise<Response>) {
  let count = 0;
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => answer(count++) });
  servers.push(server);
  const base = `http://127.0.0.1:${server.port}`;
  return { feeder: `${base}/feeder_gateway`, gateway: `${base}/gateway` };
}

const taken = (count: number): Response => {
  const transaction_hash = hexFromFelt(hashes[count] ?? 0n);
  return Response.json({ code: "TRANSACTION_RECEIVED", transaction_hash });
};

function deps(files: ReturnType<typeof nodeFiles>, urls: ReturnType<typeof sequencer> | undefined) {
  const lines: string[] = [];
  const stopped = new AbortController();
  return {
    lines,
    stopped,
    setup: { config, files },
    leader: () => urls,
    gatewayKeyFile: null,
    chain: { locate: () => undefined },
    metrics: createNodeMetrics(),
    deadlineMs: 10_000,
    log: createLogger({ level: "info", format: "text", write: (line) => lines.push(line) }),
    timer: SYSTEM_TIMER,
    signal: stopped.signal,
  };
}

const left = async ({ mempoolDatabase }: ReturnType<typeof nodeFiles>): Promise<number> => {
  const store = await openMempoolStore(mempoolDatabase, config.chainId);
  const { length } = store.loadAll();
  store.close();
  return length;
};

test("sends the stored mempool to the leader and logs the counts", async () => {
  const files = await waiting("sent");
  const given = deps(files, sequencer(taken));
  expect(await handOverMempool(given)).toEqual({ sent: 2, known: 0, refused: 0, kept: 0 });
  expect(given.lines.join("")).toMatch(/forwarded waiting transactions.*sent=2.*kept=0/);
  expect(await left(files)).toBe(0);
});

test("keeps transactions in the file that no sequencer accepted", async () => {
  const files = await waiting("kept");
  const given = { ...deps(files, undefined), deadlineMs: 50 };
  expect(await handOverMempool(given)).toEqual({ sent: 0, known: 0, refused: 0, kept: 2 });
  expect(await left(files)).toBe(2);
});

test("closes the file as soon as it is aborted, even with requests in flight", async () => {
  const files = await waiting("ended");
  const asked = Promise.withResolvers<void>();
  const urls = sequencer(() => {
    asked.resolve();
    return new Promise<Response>(() => undefined);
  });
  const given = deps(files, urls);
  const handed = handOverMempool(given);
  await asked.promise;
  given.stopped.abort();
  expect(await left(files)).toBe(2);
  expect(await handed).toEqual({ sent: 0, known: 0, refused: 0, kept: 2 });
});

test("sends nothing and creates no mempool on a node without one", async () => {
  const files = nodeFiles(folder.file("none"), null);
  const given = deps(files, sequencer(taken));
  expect(await handOverMempool(given)).toEqual({ sent: 0, known: 0, refused: 0, kept: 0 });
  expect([existsSync(files.mempoolDatabase), given.lines]).toEqual([false, []]);
});
