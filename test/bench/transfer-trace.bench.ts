/**
 * Time of one transfer, thread by thread, with waits separated from work: a development chain from
 * source whose threads record their turns (`trace/preload.ts`), and transfers sent one at a time.
 * Prints medians, and the transfer with the median time turn by turn.
 *
 * Arguments: transfers (default 200), and `receipt` for responses on receipt instead of acceptance.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { signedTransfer } from "#test/helpers/load.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { Connection, requestBytes } from "./compare/connection.ts";
import { ourServer, ourServerOnReceipt, startServer } from "./compare/server.ts";
import { clockUs, type ThreadTrace } from "./trace/thread-trace.ts";
import { accountOf, printedAccount, printedWay, type Sent, waysOf } from "./trace/transfer-way.ts";

const ROOT = join(import.meta.dir, "../..");
const SENDERS = 64;
/** Number of transfers sent before recording. */
const WARM_UP = 600;
/** Pause until the work after a response is done. */
const PAUSE_MS = 12;
const DUMP_TIMEOUT_MS = 10_000;

const words = process.argv.slice(2);
const transfers = Number(words.find((word) => word !== "receipt") ?? 200);
const server = words.includes("receipt") ? ourServerOnReceipt() : ourServer();

using folder = temporaryFolder();
const fromSource = [
  process.execPath,
  `--config=${join(ROOT, "bunfig.toml")}`,
  "--no-env-file",
  ...["--preload", join(import.meta.dir, "trace/preload.ts")],
  join(ROOT, "bin/appchain.ts"),
];
await using running = await startServer(
  {
    ...server,
    command: (...args) => [...fromSource, ...server.command(...args).slice(1)],
    env: { ...server.env, TRACE_DIR: folder.path },
  },
  SENDERS,
);
const bodies = Array.from({ length: WARM_UP + transfers }, (_, i) => {
  const { address = "0", privateKey = "0" } = running.accounts[i % SENDERS] ?? {};
  const signer = { address: BigInt(address), privateKey: BigInt(privateKey) };
  const nonce = BigInt(Math.floor(i / SENDERS));
  const { body } = signedTransfer(server.chainId, signer, nonce, 0x10_0000_0000n + BigInt(i));
  return requestBytes(body);
});

let answered: ((body: string) => void) | undefined;
const connection = await Connection.open(
  running.port,
  (body) => answered?.(body.toString()),
  () => undefined,
);
const sent: Sent[] = [];
for (const [i, request] of bodies.entries()) {
  const answer = new Promise<string>((resolve) => (answered = resolve));
  const sentUs = clockUs();
  connection.send(request);
  const body = await answer;
  const answeredUs = clockUs();
  if (body.includes('"error":')) throw new TypeError(body);
  if (i < WARM_UP) continue;
  sent.push({ sentUs, answeredUs });
  await Bun.sleep(PAUSE_MS);
}
connection.close();

writeFileSync(folder.file("dump"), "");
const traces: ThreadTrace[] = [];
for (const thread of ["main", "admission", "executor", "committer"]) {
  const file = folder.file(`${thread}.json`);
  for (const untilMs = performance.now() + DUMP_TIMEOUT_MS; performance.now() < untilMs;) {
    if (existsSync(file)) break;
    await Bun.sleep(50);
  }
  await Bun.sleep(200);
  traces.push(JSON.parse(readFileSync(file, "utf8")) as ThreadTrace);
}

const ways = waysOf(traces, sent);
console.log(`${printedAccount(ways.map(accountOf))}\n`);
const inOrder = ways.toSorted((a, b) => a.answeredUs - a.sentUs - (b.answeredUs - b.sentUs));
const middle = inOrder[inOrder.length >> 1];
if (middle !== undefined) console.log(printedWay(middle));
