/**
 * The compiled executable from outside: cold start until the first response, idle resident memory,
 * and requests per second over HTTP (with `wrk`, if it is on PATH).
 *
 * Argument: repetitions of the cold start (default 9).
 */
import { writeFileSync } from "node:fs";
import { BINARY, freePort, rawCall, startChain } from "#test/helpers/binary.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { STRK } from "#test/helpers/tokens.ts";
import { median } from "./pairs.ts";

const repetitions = Number(process.argv[2] ?? 9);

/** Milliseconds from starting the process until its first JSON-RPC response. */
async function coldStartMs(basePath: string): Promise<number> {
  const port = await freePort();
  const startedMs = performance.now();
  const child = Bun.spawn(
    [
      BINARY,
      ..."sequencer --preset devnet --metrics-port off --log-level warn".split(" "),
      ...["--base-path", basePath, "--rpc-port", String(port)],
    ],
    { cwd: "/", stdout: "ignore", stderr: "ignore" },
  );
  for (;;) {
    const answered = await rawCall(`http://127.0.0.1:${port}`, "chain_blockNumber").then(
      () => true,
      () => false,
    );
    if (answered) break;
    await Bun.sleep(1);
  }
  const elapsedMs = performance.now() - startedMs;
  await Bun.sleep(500);
  child.kill("SIGTERM");
  await child.exited;
  return elapsedMs;
}

/** Requests per second of a body, measured by `wrk`; a note if it is missing. */
function requestsPerSecond(url: string, method: string, params: unknown): string {
  if (Bun.which("wrk") === null) return "not measured: wrk is not on PATH";
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const script = folder.file("post.lua");
  writeFileSync(
    script,
    `wrk.method = "POST"\nwrk.body = '${body}'\nwrk.headers["Content-Type"] = "application/json"\n`,
  );
  const run = Bun.spawnSync(["wrk", "-t1", "-c32", "-d5s", "-s", script, url]);
  return run.stdout.toString().match(/Requests\/sec:\s+([\d.]+)/)?.[1] ?? "no figure";
}

using folder = temporaryFolder();
await coldStartMs(folder.path);
const starts: number[] = [];
for (let i = 0; i < repetitions; i++) starts.push(await coldStartMs(folder.path));
console.log(
  `cold start to first answer: ${median(starts).toFixed(0)} ms (median of ${repetitions})`,
);

const chain = await startChain({ basePath: folder.path, args: ["--log-level", "warn"] });
await Bun.sleep(2000);
const text = await (await fetch(`http://127.0.0.1:${chain.metricsPort}/metrics`)).text();
const rss = Number(text.match(/appchain_process_resident_memory_bytes (\d+)/)?.[1]);
console.log(`resident memory when idle: ${(rss / 2 ** 20).toFixed(0)} MiB`);
console.log(`blockNumber requests/s: ${requestsPerSecond(chain.url, "starknet_blockNumber", [])}`);
const storage = [STRK, "0x1", "latest"];
console.log(
  `getStorageAt requests/s: ${requestsPerSecond(chain.url, "starknet_getStorageAt", storage)}`,
);
await chain.stop();
