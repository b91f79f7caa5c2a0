/**
 * Requests of a fork to its origin, one per line with its start, its time and its calls: those of the start,
 * then those of the first ERC-20 transfer. Arguments: delay of the origin in milliseconds (default 50).
 */
import { rawCall, startChain } from "#test/helpers/binary.ts";
import { type OriginCall, startOriginProxy } from "#test/helpers/fork/origin-proxy.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const [delayMs = 50] = process.argv.slice(2).map(Number);

using originFolder = temporaryFolder();
using forkFolder = temporaryFolder();
const origin = await startChain({ basePath: originFolder.path });
await using proxy = await startOriginProxy(origin.url);
let startMs = performance.now();
const textOf = ({ method, params }: OriginCall): string =>
  `${method} ${JSON.stringify(params)}`.replaceAll(/0x[0-9a-f]{12,}/g, (felt) => felt.slice(0, 10));
proxy.add({
  lie: async ({ calls, honest }) => {
    const sentMs = performance.now();
    await Bun.sleep(delayMs);
    const reply = await honest();
    const [at, took] = [sentMs - startMs, performance.now() - sentMs].map((ms) => ms.toFixed(0));
    console.log(`${at} ms +${took}: ${calls.map(textOf).join("\n    ")}`);
    return reply;
  },
});
const args = ["--fork-url", `${proxy.url}/rpc/v0_10`, "--dev-seed", "99", "--dev-accounts", "1"];
const fork = await startChain({ basePath: forkFolder.path, args });
console.log(`ready after ${(performance.now() - startMs).toFixed(0)} ms`);
await Bun.sleep(Number(process.env["PAUSE_MS"] ?? 0));
for (const account of [0, 1]) {
  startMs = performance.now();
  console.log(`transfer by account ${account}`);
  const { body, hash } = signedTransfer("APPCHAIN_DEVNET", origin.signer(account), 0n, 0x2000n);
  const headers = { "content-type": "application/json" };
  const sent = await fetch(fork.url, { method: "POST", headers, body });
  console.log(`answered ${await sent.text()} after ${(performance.now() - startMs).toFixed(0)} ms`);
  for (;;) {
    const { result } = await rawCall(fork.url, "starknet_getTransactionReceipt", [
      `0x${hash.toString(16)}`,
    ]);
    if ((result as { finality_status?: string } | undefined)?.finality_status === "ACCEPTED_ON_L2")
      break;
    await Bun.sleep(1);
  }
  console.log(`accepted after ${(performance.now() - startMs).toFixed(0)} ms`);
}
await fork.stop();
await origin.stop();
