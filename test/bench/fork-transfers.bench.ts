/**
 * Time of ERC-20 transfers on a fork, and the requests to its origin, which takes 50 ms for each:
 * the first transfer, the second by another account, the hundredth, and one by a known account.
 */
import { startChain } from "#test/helpers/binary.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { openOriginProxy } from "#test/helpers/origin-proxy.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const DELAY_MS = 50;
const BETWEEN = 97;

using originFolder = temporaryFolder();
using forkFolder = temporaryFolder();
const origin = await startChain({ basePath: originFolder.path, args: ["--dev-seed", "7"] });
await using proxy = openOriginProxy(origin.url, DELAY_MS);
const fork = await startChain({ basePath: forkFolder.path, args: ["--fork-url", proxy.url] });
const nonces = new Map<number, bigint>();
let recipient = 0x7770_0000n;

/** Sends a transfer by an account to a new recipient; the response follows its execution. */
async function transfer(account: number): Promise<void> {
  const nonce = nonces.get(account) ?? 0n;
  nonces.set(account, nonce + 1n);
  const { body } = signedTransfer("APPCHAIN_DEVNET", origin.signer(account), nonce, recipient++);
  const headers = { "content-type": "application/json" };
  const text = await (await fetch(fork.url, { method: "POST", headers, body })).text();
  if (!text.includes("transaction_hash")) throw new TypeError(text);
}

async function measure(name: string, work: () => Promise<void>): Promise<void> {
  proxy.take();
  const startedMs = performance.now();
  await work();
  const ms = (performance.now() - startedMs).toFixed(0);
  const { requests, calls } = proxy.take();
  console.log(`${name}: ${ms} ms, ${requests} requests, ${calls} calls`);
}

await measure("first transfer", () => transfer(0));
await measure("second, by another account", () => transfer(1));
await measure(`${BETWEEN} more by one account`, async () => {
  for (let i = 0; i < BETWEEN; i++) await transfer(2);
});
await measure("hundredth, by another account", () => transfer(3));
await measure("next, by a known account", () => transfer(3));
await fork.stop();
await origin.stop();
