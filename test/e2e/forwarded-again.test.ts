import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { hexFromFelt } from "#base/primitives/index.ts";
import { ASYNC_SUBMISSION, rawCall } from "#test/helpers/binary.ts";
import { useFollower } from "#test/helpers/follower.ts";
import { untilCaughtUp, untilSo } from "#test/helpers/follower-state.ts";
import { type GatewayChain, makeBlocks, useGatewayChain } from "#test/helpers/gateway-chain.ts";
import { startGatewayProxy } from "#test/helpers/gateway-proxy.ts";
import { signedTransfer } from "#test/helpers/load.ts";

const ACCOUNTS = 4;
const TRANSFERS = 40;
/** Pause between two polls of the statuses; far shorter than the time without a sequencer. */
const POLL_MS = 20;

/** Blocks stay open until a test closes them. */
const OPEN = { args: ["--block-time", "1h"], env: ASYNC_SUBMISSION };

const leader = useGatewayChain(OPEN);
const successor = useGatewayChain({ ...OPEN, copyOf: leader });
const node = useFollower();

async function statusOf(hash: string): Promise<string> {
  const { result } = await rawCall(node.url, "starknet_getTransactionStatus", [hash]);
  return (result as { finality_status?: string } | undefined)?.finality_status ?? "unknown";
}

/** Whether the current leader has a transaction. */
async function isKnown(hash: string): Promise<boolean> {
  const params = [hash];
  return (
    (await rawCall(successor.url, "starknet_getTransactionStatus", params)).result !== undefined
  );
}

/** Polls the full node for the statuses of all transactions, in one batch. */
async function watch(
  hashes: readonly string[],
  seen: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  const method = "starknet_getTransactionStatus";
  const body = JSON.stringify(
    hashes.map((hash, id) => ({ jsonrpc: "2.0", id, method, params: [hash] })),
  );
  const headers = { "content-type": "application/json" };
  while (!signal.aborted) {
    const response = await fetch(node.url, { method: "POST", headers, body });
    const answers = (await response.json()) as { result?: { finality_status?: string } }[];
    expect(answers).toHaveLength(hashes.length);
    for (const { result } of answers) seen.add(result?.finality_status ?? "unknown");
    await Bun.sleep(POLL_MS);
  }
}

/** Kills a sequencer and deletes its mempool; its blocks remain. */
async function losesMempool(chain: GatewayChain): Promise<void> {
  await chain.stop("SIGKILL");
  for (const name of ["mempool.db", "mempool.db-wal", "mempool.db-shm", "execution.journal"]) {
    rmSync(chain.folder.file(name), { force: true });
  }
}

test("transactions acknowledged by a full node survive two sequencers that lose their mempools", async () => {
  await leader.start();
  await makeBlocks(leader, 2);
  // The successor's disk: the same key and all blocks.
  await leader.stop();
  await successor.start();
  await successor.stop();
  await leader.start();
  await using first = await startGatewayProxy(leader.gateway);
  await node.start({ gateways: [first.url, successor.gateway] });
  await untilCaughtUp(node, leader);

  const sent: string[] = [];
  for (let i = 0; i < TRANSFERS; i++) {
    const signer = leader.signer(i % ACCOUNTS);
    const nonce = BigInt(Math.floor(i / ACCOUNTS));
    const { body, hash } = signedTransfer("APPCHAIN_DEVNET", signer, nonce, 0x77n);
    const headers = { "content-type": "application/json" };
    const answer = await fetch(node.url, { method: "POST", headers, body });
    expect(await answer.json()).toMatchObject({ result: { transaction_hash: hexFromFelt(hash) } });
    sent.push(hexFromFelt(hash));
  }
  const last = sent.at(-1) ?? "";
  await untilSo("executed", node, async () => (await statusOf(last)) === "PRE_CONFIRMED");

  const seen = new Set<string>();
  const watched = new AbortController();
  const watching = watch(sent, seen, watched.signal);
  try {
    await leader.stop("SIGKILL");
    await successor.start();
    await untilSo("sent again", node, () => isKnown(last));
    await losesMempool(successor);
    await successor.start();
    // Now the first address leads to the successor, too.
    first.upstream = successor.gateway;
    await untilSo("all sent again", node, async () =>
      (await Promise.all(sent.map(isKnown))).every((each) => each),
    );
    await makeBlocks(successor, 1);
    await untilCaughtUp(node, successor);
  } finally {
    watched.abort();
    await watching;
  }
  expect(seen).not.toContain("unknown");
  expect(new Set(await Promise.all(sent.map(statusOf)))).toEqual(new Set(["ACCEPTED_ON_L2"]));
  const { transactions } = await node.provider.getBlockWithTxHashes("latest");
  expect([transactions.length, new Set(transactions)]).toEqual([TRANSFERS, new Set(sent)]);
}, 120_000);
