/**
 * Runs the WebSocket channel of a version of starknet.js against a chain, on Node: notifications
 * that immediately follow a subscription's response must not be lost. On Node, versions 8 and 9
 * drop data that they read together with the response.
 *
 * Argument: the folder with the packages `starknet` and `ws`. Environment: as `starknet-js.ts`.
 * Prints a line for each step; exits with 1 at the first that fails.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type * as StarknetJs from "starknet";
import { checks, clientEnvironment } from "./check.ts";

const SUBSCRIPTIONS = 20;
const HEADS = 21;
const AMOUNT = "1";
const RECIPIENT = "0x1234567894";

/** Far above the few milliseconds that a notification takes. */
const TIMEOUT_MS = 2_000;
const POLL_MS = 20;

const folder = resolve(process.argv[2] ?? "");
const load = createRequire(join(folder, "package.json"));
// Node 20 has no global WebSocket, and the channel compares states with the global one's.
globalThis.WebSocket = (load("ws") as { readonly WebSocket: typeof WebSocket }).WebSocket;
const { Account, logger, RpcProvider, WebSocketChannel } = load("starknet") as typeof StarknetJs;
const { version } = JSON.parse(
  readFileSync(join(folder, "node_modules/starknet/package.json"), "utf8"),
) as { readonly version: string };
logger.setLogLevel("ERROR");
const check = checks(`starknet.js ${version}`);
const { url, address, privateKey, token } = clientEnvironment();
const provider = new RpcProvider({ nodeUrl: url });
const account = new Account({ provider, address, signer: privateKey });
const channel = new WebSocketChannel({
  nodeUrl: url.replace(/^http/, "ws"),
});
await channel.waitForConnection();

async function until(holds: () => boolean): Promise<void> {
  const endMs = performance.now() + TIMEOUT_MS;
  while (!holds() && performance.now() < endMs) await sleep(POLL_MS);
}

const calldata = [RECIPIENT, AMOUNT, "0"];
const transfer = { contractAddress: token, entrypoint: "transfer", calldata };

const hashes: string[] = [];
while (hashes.length < HEADS) {
  const { transaction_hash: hash } = await account.execute(transfer);
  await provider.waitForTransaction(hash, { retryInterval: POLL_MS });
  hashes.push(hash);
}

let statuses = 0;
for (const transactionHash of hashes.slice(0, SUBSCRIPTIONS)) {
  let heard = 0;
  const subscription = await channel.subscribeTransactionStatus({ transactionHash });
  subscription.on(() => void heard++);
  await until(() => heard > 0);
  if (heard > 0) statuses++;
  await subscription.unsubscribe();
}
check(`hears ${statuses} of ${SUBSCRIPTIONS} statuses`, statuses === SUBSCRIPTIONS);

const newest = await provider.getBlockNumber();
const heads: number[] = [];
const subscription = await channel.subscribeNewHeads({ blockIdentifier: newest - HEADS + 1 });
subscription.on(({ block_number: number }) => void heads.push(number));
await until(() => heads.length >= HEADS);
await subscription.unsubscribe();
check(`hears ${heads.length} of ${HEADS} heads`, heads.length === HEADS);
channel.disconnect();
await channel.waitForDisconnection();
