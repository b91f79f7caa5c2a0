/**
 * A flood of transfers with wrong signatures, and its effect on an honest client: the maximum and
 * median time of a submission, of its inclusion and of a status look-up meanwhile.
 *
 * Arguments: number of bad transfers (default 20000), connections (default 200), impersonated
 * senders (default 1), requests per body (default 1), felts of calldata beyond a transfer's
 * (default 0).
 */
import { join } from "node:path";
import { ASYNC_SUBMISSION, BINARY, rawCall, startChain } from "#test/helpers/binary.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { signedTransfer } from "#test/helpers/load.ts";

const [count = 20_000, connections = 200, forged = 1, perBody = 1, moreFelts = 0] = process.argv
  .slice(2)
  .map(Number);
const HONEST = 20;

using folder = temporaryFolder();
const chain = await startChain({
  basePath: folder.path,
  env: ASYNC_SUBMISSION,
  binary: process.env["APPCHAIN_BINARY"] ?? BINARY,
  args: ["--dev-accounts", String(forged + 1), "--log-level", "warn"],
});

/** Valid bodies with the signature of another transaction. */
function badBodies(): string[] {
  const requests: string[] = [];
  for (let i = 0; i < count; i++) {
    const template = templates[i % forged] as string;
    const recipient = `0x${(0x1000000000n + BigInt(i)).toString(16)}`;
    requests.push(
      template
        .replace("0xdeadbeefdead", recipient)
        .replace('"calldata":[', `"calldata":[${'"0x7",'.repeat(moreFelts)}`),
    );
  }
  if (perBody === 1) return requests;
  const bodies: string[] = [];
  for (let at = 0; at < requests.length; at += perBody) {
    bodies.push(`[${requests.slice(at, at + perBody).join(",")}]`);
  }
  return bodies;
}

const templates = Array.from(
  { length: forged },
  (_, i) => signedTransfer("APPCHAIN_DEVNET", chain.signer(i + 1), 0n, 0xdeadbeefdeadn).body,
);
const bodiesFile = folder.file("bodies.txt");
await Bun.write(bodiesFile, badBodies().join("\n"));
const honest = Array.from({ length: HONEST + 1 }, (_, i) =>
  signedTransfer("APPCHAIN_DEVNET", chain.signer(0), BigInt(i), 0x10n + BigInt(i)),
);

async function post(body: string): Promise<{ status: number; text: string }> {
  const response = await fetch(chain.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  return { status: response.status, text: await response.text() };
}

async function timed(times: number[], work: () => Promise<unknown>): Promise<void> {
  const startedMs = performance.now();
  await work();
  times.push(performance.now() - startedMs);
}

// One honest transaction before, as of an account that is in use.
const first = honest[0];
if (first !== undefined) await post(first.body);
await Bun.sleep(1000);

const submissions: number[] = [];
const inclusions: number[] = [];
const lookups: number[] = [];
const numbers: number[] = [];
let flooding = true;
// A separate process, as its connections would delay honest requests within this one.
const flooder = Bun.spawn(
  [
    process.execPath,
    join(import.meta.dir, "flood-client.ts"),
    chain.url,
    bodiesFile,
    String(connections),
  ],
  {
    env: { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: "65000" },
    stdout: "pipe",
    stderr: "inherit",
  },
);
const flooded = new Response(flooder.stdout).text().then((text) => {
  flooding = false;
  return text.trim();
});
await Bun.sleep(200);
let retries = 0;

async function included(hash: bigint): Promise<void> {
  for (;;) {
    const { result } = await rawCall(chain.url, "starknet_getTransactionStatus", [
      `0x${hash.toString(16)}`,
    ]);
    const status = (result as { finality_status?: string } | undefined)?.finality_status;
    if (status === "PRE_CONFIRMED" || status === "ACCEPTED_ON_L2") return;
    await Bun.sleep(20);
  }
}

async function lookUp(): Promise<void> {
  while (flooding) {
    await timed(lookups, () => rawCall(chain.url, "starknet_getTransactionStatus", ["0x123456"]));
    await timed(numbers, () => rawCall(chain.url, "starknet_blockNumber"));
    await Bun.sleep(20);
  }
}

async function submitHonest(): Promise<void> {
  for (const { body, hash } of honest.slice(1)) {
    if (!flooding) return;
    await timed(inclusions, async () => {
      await timed(submissions, async () => {
        for (;;) {
          const { text } = await post(body);
          if (!text.includes('"error"')) return;
          retries++;
          if (retries < 3) console.log(text.slice(0, 300));
          await Bun.sleep(100);
        }
      });
      await included(hash);
    });
    await Bun.sleep(100);
  }
}

const [floodReport] = await Promise.all([flooded, lookUp(), submitHonest()]);

function line(name: string, times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(0);
  return `${name}: ${sorted.length} times, median ${at(0.5)} ms, longest ${at(1)} ms`;
}

const metrics = await (await fetch(`http://127.0.0.1:${chain.metricsPort}/metrics`)).text();
const rss = Number(metrics.match(/appchain_process_resident_memory_bytes (\d+)/)?.[1]);
console.log(
  [
    `${count} bad transfers, ${connections} connections, ${forged} senders, ${perBody} per body: ` +
      floodReport,
    line("honest submissions", submissions) + `, ${retries} repeated`,
    line("honest inclusions", inclusions),
    line("status look-ups", lookups),
    line("block numbers", numbers),
    `resident memory after: ${(rss / 2 ** 20).toFixed(0)} MiB`,
    `log: ${chain.output().length} bytes`,
  ].join("\n"),
);
await chain.stop();
