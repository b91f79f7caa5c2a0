import { beforeAll, expect, test } from "bun:test";
import { ASYNC_SUBMISSION } from "#test/helpers/binary.ts";
import { useFollower, waitForBlock } from "#test/helpers/follower.ts";
import { withGateway } from "#test/helpers/gateway-sends.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { STRK } from "#test/helpers/tokens.ts";
import { useChain } from "#test/helpers/use-chain.ts";
import { WsClient } from "#test/helpers/ws-client.ts";
import { bySize } from "#test/helpers/test-size.ts";

const CHAIN_ID = "APPCHAIN_DEVNET";
/** Number of blocks in each part. */
const BLOCKS = bySize({ quick: 8, full: 70 });
const SENDERS = 4;

const gateway = await withGateway();
const handed = await withGateway();
const chain = useChain({ args: gateway.args, env: ASYNC_SUBMISSION });
const node = useFollower();
/** Follows the node that follows the sequencer. */
const last = useFollower();

/** Subscriptions by name. */
const KINDS = {
  heads: ["subscribeNewHeads", []],
  events: ["subscribeEvents", { from_address: STRK }],
  earlyEvents: ["subscribeEvents", { finality_status: "PRE_CONFIRMED" }],
  transactions: ["subscribeNewTransactions", { finality_status: ["ACCEPTED_ON_L2"] }],
  earlyTransactions: [
    "subscribeNewTransactions",
    { finality_status: ["PRE_CONFIRMED", "ACCEPTED_ON_L2"] },
  ],
  receipts: ["subscribeNewTransactionReceipts", { finality_status: ["ACCEPTED_ON_L2"] }],
  earlyReceipts: ["subscribeNewTransactionReceipts", { finality_status: ["PRE_CONFIRMED"] }],
} as const;

type Kind = keyof typeof KINDS;
type Result = Readonly<Record<string, unknown>>;

interface Listener {
  /** Notifications of one subscription, in order. */
  of(kind: Kind): Result[];
  reorgs(): Result[];
  close(): void;
}

async function listen(rpcPort: number): Promise<Listener> {
  const client = await WsClient.open(`ws://127.0.0.1:${rpcPort}/rpc/v0_10`);
  const ids = new Map<Kind, unknown>();
  for (const [kind, [method, params]] of Object.entries(KINDS) as [Kind, (typeof KINDS)[Kind]][]) {
    const { result, error } = await client.ask(`starknet_${method}`, params);
    expect([method, error]).toEqual([method, undefined]);
    ids.set(kind, result);
  }
  const notified = (id: unknown, isReorg: boolean): Result[] =>
    client.received
      .filter(({ method }) => (method === "starknet_subscriptionReorg") === isReorg)
      .map(({ params }) => params as { subscription_id: unknown; result: Result })
      .filter(({ subscription_id }) => subscription_id === id)
      .map(({ result }) => result);
  return {
    of: (kind) => notified(ids.get(kind), false),
    reorgs: () => notified(ids.get("heads"), true),
    close: () => client.close(),
  };
}

const nonces = Array.from({ length: SENDERS }, () => 0n);

/** Error code of a transaction that is known already. */
const DUPLICATE = 59;
/**
 * Set once blocks are reverted: a node may then resend a transaction that it forwarded and the
 * sequencer forgot.
 */
let isReverted = false;

/** Sends a transfer through a node, which accepts it. */
async function send(index: number, url: string): Promise<void> {
  const nonce = nonces[index] ?? 0n;
  const { body } = signedTransfer(CHAIN_ID, chain.signer(index), nonce, 0xf1ee7n);
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body });
  const { result, error } = (await response.json()) as { result?: unknown; error?: Result };
  const isKnown = isReverted && error?.["code"] === DUPLICATE;
  expect([url, result === undefined && !isKnown ? error : undefined]).toEqual([url, undefined]);
  nonces[index] = nonce + 1n;
}

/** Listeners at the two followers. */
let listeners: readonly Listener[] = [];

beforeAll(async () => {
  await node.start({ gateways: [gateway.url], args: handed.args });
  await last.start({ gateways: [handed.url] });
  for (const each of [node, last]) await waitForBlock(each, 0);
  listeners = [await listen(node.rpcPort), await listen(last.rpcPort)];
}, 120_000);

const newest = (): Promise<number> => chain.provider.getBlockNumber();

/** Waits until all nodes have the sequencer's newest block and have notified of it. */
async function settled(): Promise<number> {
  let number = await newest();
  for (;;) {
    for (const each of [node, last]) await waitForBlock(each, number);
    await Bun.sleep(300);
    const now = await newest();
    if (now === number) return number;
    number = now;
  }
}

/** Sends through all nodes in turn until the chain has grown by this many blocks. */
async function grow(blocks: number): Promise<void> {
  const urls = [chain.url, node.url, last.url];
  const until = (await newest()) + blocks;
  for (let i = 0; (await newest()) < until; i++) {
    await Promise.all(nonces.map((_, sender) => send(sender, urls[(i + sender) % 3] ?? "")));
  }
  await settled();
}

const textOf = (results: readonly Result[]): string[] =>
  results.map((each) => JSON.stringify(each));

/** Notifications of one finality: in a mixed subscription, pre-confirmed ones may interleave. */
const ofFinality = (results: readonly Result[], finality: string): string[] =>
  textOf(results.filter(({ finality_status }) => finality_status === finality));

/** Block numbers of the new-heads notifications. */
const headsOf = (listener: Listener): unknown[] =>
  listener.of("heads").map(({ block_number }) => block_number);

test("subscribers of three chained nodes get the same notifications, each once and in order", async () => {
  const sequencer = await listen(chain.rpcPort);
  await grow(BLOCKS);
  for (const listener of listeners) {
    for (const kind of ["heads", "events", "transactions", "receipts", "earlyReceipts"] as const) {
      const texts = textOf(listener.of(kind));
      expect(texts).toEqual(textOf(sequencer.of(kind)));
      expect(new Set(texts).size).toBe(texts.length);
      expect(texts.length).toBeGreaterThanOrEqual(BLOCKS);
    }
    for (const kind of ["earlyEvents", "earlyTransactions"] as const) {
      for (const finality of ["PRE_CONFIRMED", "ACCEPTED_ON_L2"]) {
        const texts = ofFinality(listener.of(kind), finality);
        expect(texts).toEqual(ofFinality(sequencer.of(kind), finality));
        expect(texts.length).toBeGreaterThanOrEqual(BLOCKS);
      }
    }
  }
  sequencer.close();
}, 120_000);

test("a killed sequencer causes no gap and no repeated notification", async () => {
  for (let i = 0; i < 10; i++) await Promise.all(nonces.map((_, one) => send(one, last.url)));
  await chain.stop("SIGKILL");
  await chain.start();
  // Acknowledged transactions survived; pending ones are included.
  for (const [i, nonce] of nonces.entries()) {
    const address = chain.accounts[i]?.address ?? "";
    while (BigInt(await chain.provider.getNonceForAddress(address, "latest")) < nonce) {
      await Bun.sleep(50);
    }
  }
  await grow(BLOCKS);
  const top = await settled();
  const hashes: unknown[] = [];
  for (let number = 0; number <= top; number++) {
    hashes.push(...(await chain.provider.getBlockWithTxHashes(number)).transactions);
  }
  for (const listener of listeners) {
    expect(headsOf(listener)).toEqual(Array.from({ length: top + 1 }, (_, i) => i));
    for (const kind of ["transactions", "receipts"] as const) {
      expect(listener.of(kind).map(({ transaction_hash }) => transaction_hash)).toEqual(hashes);
    }
    expect(listener.reorgs()).toEqual([]);
  }
}, 120_000);

test("a reorg is notified once, before the blocks that replace the reverted ones", async () => {
  const sequencer = await listen(chain.rpcPort);
  const top = await settled();
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "devnet_abortBlocks",
    params: { starting_block_id: { block_number: top - 4 } },
  });
  const headers = { "content-type": "application/json" };
  await fetch(chain.url, { method: "POST", headers, body });
  isReverted = true;
  for (const [i] of nonces.entries()) {
    const address = chain.accounts[i]?.address ?? "";
    nonces[i] = BigInt(await chain.provider.getNonceForAddress(address, "latest"));
  }
  // A shorter chain alone may be a lagging replica: only another block proves the reorg.
  for (let i = 0; i < 5; i++) await send(0, chain.url);
  while (listeners.some((listener) => listener.reorgs().length === 0)) await Bun.sleep(50);
  await grow(BLOCKS);
  const after = await settled();
  for (const listener of listeners) {
    expect(listener.reorgs()).toEqual(sequencer.reorgs());
    const heads = headsOf(listener);
    const again = Array.from({ length: after - top + 5 }, (_, i) => top - 4 + i);
    expect(heads.slice(top + 1)).toEqual(again);
    // New subscribers were notified of the block that was newest then.
    const texts = textOf(listener.of("heads")).slice(top);
    expect(texts).toEqual(textOf(sequencer.of("heads")));
  }
  sequencer.close();
  for (const listener of listeners) listener.close();
}, 120_000);
