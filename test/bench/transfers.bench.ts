/**
 * End to end: pre-signed STRK transfers to fresh recipients, posted to `dist/appchain`, until the
 * last one is ACCEPTED_ON_L2. Prints transfers per second and bytes on disk per transfer.
 *
 * Arguments: number of transfers (default 10000), accounts (default 200), connections (default 64).
 */
import { statSync } from "node:fs";
import { ASYNC_SUBMISSION, rawCall, startChain } from "#test/helpers/binary.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { signedTransfer, type SignedTransfer } from "#test/helpers/load.ts";

const [transfers = 10_000, accounts = 200, connections = 64] = process.argv.slice(2).map(Number);

using folder = temporaryFolder();
const chain = await startChain({
  basePath: folder.path,
  // With the variable set to false each response waits for its block, which is the default.
  env: { ...ASYNC_SUBMISSION, ...process.env } as Readonly<Record<string, string>>,
  args: ["--dev-accounts", String(accounts), "--log-level", "warn"],
});

function databaseBytes(): number {
  let bytes = 0;
  for (const name of ["chain.db", "chain.db-wal"]) {
    bytes += statSync(folder.file(name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}

const signed: SignedTransfer[] = [];
for (let i = 0; i < transfers; i++) {
  const signer = chain.signer(i % accounts);
  const nonce = BigInt(Math.floor(i / accounts));
  signed.push(signedTransfer("APPCHAIN_DEVNET", signer, nonce, 0x10_0000_0000n + BigInt(i)));
}

const bytesBefore = databaseBytes();
let next = 0;
let refused = 0;
const startedMs = performance.now();

async function post(): Promise<void> {
  while (next < signed.length) {
    const { body } = signed[next++] as SignedTransfer;
    const response = await fetch(chain.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const answer = (await response.json()) as { error?: unknown };
    if (answer.error !== undefined && refused++ < 3) console.log(JSON.stringify(answer.error));
  }
}

await Promise.all(Array.from({ length: connections }, post));
const postedMs = performance.now();
for (;;) {
  const statuses = await Promise.all(
    signed.slice(-accounts).map(async ({ hash }) => {
      const params = [`0x${hash.toString(16)}`];
      const { result } = await rawCall(chain.url, "starknet_getTransactionStatus", params);
      return (result as { finality_status?: string } | undefined)?.finality_status;
    }),
  );
  if (statuses.every((status) => status === "ACCEPTED_ON_L2")) break;
  await Bun.sleep(20);
}
const doneMs = performance.now();

const accepted = signed.length - refused;
const seconds = (doneMs - startedMs) / 1000;
const blocks = Number((await rawCall(chain.url, "starknet_blockNumber")).result);
const rss = (await (await fetch(`http://127.0.0.1:${chain.metricsPort}/metrics`)).text()).match(
  /appchain_process_resident_memory_bytes (\d+)/,
)?.[1];
await chain.stop();
const perTransfer = (databaseBytes() - bytesBefore) / accepted;
console.log(
  [
    `transfers: ${accepted} accepted, ${refused} refused, in ${blocks} blocks`,
    `posted in ${((postedMs - startedMs) / 1000).toFixed(2)} s, accepted in ${seconds.toFixed(2)} s`,
    `transfers/s end to end: ${(accepted / seconds).toFixed(0)}`,
    `bytes on disk per transfer: ${perTransfer.toFixed(0)}`,
    `resident memory after: ${(Number(rss) / 2 ** 20).toFixed(0)} MiB`,
  ].join("\n"),
);
