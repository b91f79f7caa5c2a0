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
/** Blocks of each part. */
const BLOCKS = bySize({ quick: 15, full: 70 });
const SENDERS = 4;

const gateway = await withGateway();
const handed = await withGateway();
const chain = useChain({ args: gateway.args, env: ASYNC_SUBMISSION });
const node = useFollower();
/** Follows the node that follows the sequencer. */
const last = useFollower();

/** What clients subscribe to. */
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
  /** In order, of one subscription. */
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
  const told = (id: unknown, isReorg: boolean): Result[] =>
    client.received
      .filter(({ method }) => (method === "starknet_subscriptionReorg") === isReorg)
      .map(({ params }) => params as { subscription_id: unknown; result: Result })
      .filter(({ subscription_id }) => subscription_id === id)
      .map(({ result }) => result);
  return {
    of: (kind) => told(ids.get(kind), false),
    reorgs: () => told(ids.get("heads"), true),
    close: () => client.close(),
  };
}

const nonces = Array.from({ length: SENDERS }, () => 0n);

/** The same transaction is there already. */
const DUPLICATE = 59;
/** Blocks were taken back: a node sends what it handed on, and the sequencer forgot, once more itself. */
let isReverted = false;

/** Sends a transfer through a node, which takes it. */
async function send(index: number, url: string): Promise<void> {
  const nonce = nonces[index] ?? 0n;
  const { body } = signedTransfer(CHAIN_ID, chain.signer(index), nonce, 0xf1ee7n);
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body });
  const { result, error } = (await response.json()) as { result?: unknown; error?: Result };
  const isThere = isReverted && error?.["code"] === DUPLICATE;
  expect([url, result === undefined && !isThere ? error : undefined]).toEqual([url, undefined]);
  nonces[index] = nonce + 1n;
}

/** Of the nodes that follow. */
let listeners: readonly Listener[] = [];

beforeAll(async () => {
  await node.start({ gateways: [gateway.url], args: handed.args });
  await last.start({ gateways: [handed.url] });
  for (const each of [node, last]) await waitForBlock(each, 0);
  listeners = [await listen(node.rpcPort), await listen(last.rpcPort)];
}, 120_000);

const newest = (): Promise<number> => chain.provider.getBlockNumber();

/** Waits until everybody has the sequencer's newest block, and has told of it. */
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

/** Sends through all nodes in turns until there are so many blocks more. */
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

/** Of one finality: where two of them are told, blocks that are not accepted may come between. */
const ofFinality = (results: readonly Result[], finality: string): string[] =>
  textOf(results.filter(({ finality_status }) => finality_status === finality));

/** Numbers of blocks whose heads were told. */
const headsOf = (listener: Listener): unknown[] =>
  listener.of("heads").map(({ block_number }) => block_number);

test("subscribers of three nodes in a row are told the same, each once and in order", async () => {
  const sequencer = await listen(chain.rpcPort);
  await grow(BLOCKS);
  for (const listener of listeners) {
    for (const kind of ["heads", "events", "transactions", "receipts", "earlyReceipts"] as const) {
      const told = textOf(listener.of(kind));
      expect(told).toEqual(textOf(sequencer.of(kind)));
      expect(new Set(told).size).toBe(told.length);
      expect(told.length).toBeGreaterThanOrEqual(BLOCKS);
    }
    for (const kind of ["earlyEvents", "earlyTransactions"] as const) {
      for (const finality of ["PRE_CONFIRMED", "ACCEPTED_ON_L2"]) {
        const told = ofFinality(listener.of(kind), finality);
        expect(told).toEqual(ofFinality(sequencer.of(kind), finality));
        expect(told.length).toBeGreaterThanOrEqual(BLOCKS);
      }
    }
  }
  sequencer.close();
}, 120_000);

test("a sequencer that is killed leaves no gap and tells nothing twice", async () => {
  for (let i = 0; i < 10; i++) await Promise.all(nonces.map((_, one) => send(one, last.url)));
  await chain.stop("SIGKILL");
  await chain.start();
  // What was answered is there; what waits is included.
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

test("a reorg is told once, with what it takes back, before the blocks that come instead", async () => {
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
  // A gateway that has less of the same chain may be a replica that lags: another block tells.
  for (let i = 0; i < 5; i++) await send(0, chain.url);
  while (listeners.some((listener) => listener.reorgs().length === 0)) await Bun.sleep(50);
  await grow(BLOCKS);
  const after = await settled();
  for (const listener of listeners) {
    expect(listener.reorgs()).toEqual(sequencer.reorgs());
    const heads = headsOf(listener);
    const again = Array.from({ length: after - top + 5 }, (_, i) => top - 4 + i);
    expect(heads.slice(top + 1)).toEqual(again);
    // The newest block was told to whoever began with it.
    const told = textOf(listener.of("heads")).slice(top);
    expect(told).toEqual(textOf(sequencer.of("heads")));
  }
  sequencer.close();
  for (const listener of listeners) listener.close();
}, 120_000);
