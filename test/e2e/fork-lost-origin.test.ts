import { expect, test } from "bun:test";
import { ASYNC_SUBMISSION, rawCall, type RunningChain, startChain } from "#test/helpers/binary.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { ORIGIN_FAULTS } from "#test/helpers/fork/origin-faults.ts";
import { startOriginProxy } from "#test/helpers/fork/origin-proxy.ts";
import { type Signer, signedTransfer } from "#test/helpers/load.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

/** Chain id of the preset, which the fork takes over. */
const DEVNET_CHAIN_ID = "APPCHAIN_DEVNET";
const KNOWN = 0x7770_0001n;
const UNKNOWN = 0x7770_0002n;

/** Sends a transfer. @returns the response */
async function send(
  { url }: Pick<RunningChain, "url">,
  signer: Signer,
  nonce: bigint,
  recipient: bigint,
): Promise<string> {
  const { body } = signedTransfer(DEVNET_CHAIN_ID, signer, nonce, recipient);
  const headers = { "content-type": "application/json" };
  return (await fetch(url, { method: "POST", headers, body })).text();
}

/** Nonce of an account; 0 while it cannot be read. */
async function nonceOf({ url }: RunningChain, address: bigint): Promise<bigint> {
  const { result = 0 } = await rawCall(url, "starknet_getNonce", ["latest", hexFromFelt(address)]);
  return BigInt(result as string);
}

/** Resolves when an account has used its nonces below `nonce`. */
async function reached(chain: RunningChain, { address }: Signer, nonce: bigint): Promise<void> {
  while ((await nonceOf(chain, address)) < nonce) await Bun.sleep(50);
}

test("a fork whose origin is lost executes what it can, and the rest when the origin is back", async () => {
  using originFolder = temporaryFolder();
  using forkFolder = temporaryFolder();
  const origin = await startChain({ basePath: originFolder.path, args: ["--dev-seed", "7"] });
  await using proxy = await startOriginProxy(origin.url);
  const fork = await startChain({
    basePath: forkFolder.path,
    env: ASYNC_SUBMISSION,
    args: ["--fork-url", proxy.url, "--fork-timeout", "1s"],
  });
  const [first, second] = [origin.signer(0), origin.signer(1)];
  await send(fork, first, 0n, KNOWN);
  await send(fork, second, 0n, KNOWN);
  await Promise.all([reached(fork, first, 1n), reached(fork, second, 1n)]);

  proxy.add(ORIGIN_FAULTS.html(503));
  expect(await send(fork, first, 1n, UNKNOWN)).toContain("transaction_hash");
  expect(await send(fork, second, 1n, KNOWN)).toContain("transaction_hash");
  await reached(fork, second, 2n);
  expect(await nonceOf(fork, first.address)).toBe(1n);
  const lost = await send(fork, origin.signer(2), 0n, KNOWN);
  expect(lost).toContain("the transaction cannot be checked now");
  const ready = await fetch(`${fork.url}/ready`);
  expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining("origin")]);

  proxy.honest();
  await reached(fork, first, 2n);
  await send(fork, origin.signer(2), 0n, KNOWN);
  await reached(fork, origin.signer(2), 1n);
  expect(await fork.stop()).toBe(0);
  expect(await origin.stop()).toBe(0);
}, 60_000);
