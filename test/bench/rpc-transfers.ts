/**
 * Posts signed transfers at a steady rate until killed; the other load of `rpc.bench.ts`. Prints
 * `ready` once the transfers are signed and starts with the next line on standard input.
 *
 * Arguments: URL, transfers per second, duration in seconds, then address and private key of each
 * account.
 */
import { signedTransfer } from "#test/helpers/load.ts";

const [url = "", rateText = "0", secondsText = "0", ...keys] = process.argv.slice(2);
const rate = Number(rateText);
const total = rate * Number(secondsText);
const accounts = keys.length / 2;

const bodies = Array.from({ length: total }, (_, i) => {
  const account = i % accounts;
  const signer = {
    address: BigInt(keys[2 * account] ?? 0),
    privateKey: BigInt(keys[2 * account + 1] ?? 0),
  };
  // The first transfer of each account is in the measured block.
  const nonce = 1n + BigInt(Math.floor(i / accounts));
  return signedTransfer("APPCHAIN_DEVNET", signer, nonce, 0x10_0000_0000n + BigInt(i)).body;
});
console.log("ready");
await Bun.stdin.stream().getReader().read();

let noted = 0;
/** Prints the first rejections. */
function note(text: string): void {
  if (noted++ < 3) process.stderr.write(`transfers: ${text}\n`);
}

const startedMs = performance.now();
for (let i = 0; i < total; i++) {
  const waitMs = startedMs + (i * 1000) / rate - performance.now();
  if (waitMs > 0) await Bun.sleep(waitMs);
  const headers = { "content-type": "application/json" };
  void fetch(url, { method: "POST", headers, body: bodies[i] ?? "" })
    .then((response) => response.text())
    .then(
      (text) => (text.includes('"error":') ? note(text) : undefined),
      (error) => note(String(error)),
    );
}
