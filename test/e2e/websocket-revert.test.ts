import { expect, test } from "bun:test";
import { hexFromFelt } from "#base/primitives/index.ts";
import { resultOf } from "#test/helpers/binary.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { residentBytes } from "#test/helpers/memory-watch.ts";
import { STRK } from "#test/helpers/tokens.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { useChain } from "#test/helpers/use-chain.ts";
import { WsClient } from "#test/helpers/ws-client.ts";

const CHAIN_ID = "APPCHAIN_DEVNET";
const SUBSCRIBERS = bySize({ quick: 26, full: 50 });
const ROUNDS = bySize({ quick: 4, full: 8 });
/** Interval, in rounds, of reverts of the whole chain. */
const RESTART_EVERY = 4;
const SENDERS = 3;
/** Far above the memory of some hundred blocks and their subscribers. */
const MAX_GROWTH_BYTES = 400 << 20;

/** Subscriptions by version, and whether they are notified of reorgs. */
const KINDS: readonly (readonly [
  path: string,
  method: string,
  params: unknown,
  hasReorgs: boolean,
])[] = [
  ["v0_10", "subscribeNewHeads", [], true],
  ["v0_10", "subscribeEvents", { from_address: STRK }, true],
  ["v0_10", "subscribeEvents", { finality_status: "PRE_CONFIRMED" }, true],
  ["v0_10", "subscribeNewTransactions", { finality_status: ["ACCEPTED_ON_L2"] }, true],
  ["v0_10", "subscribeNewTransactionReceipts", { finality_status: ["ACCEPTED_ON_L2"] }, true],
  ["v0_10", "subscribeTransactionStatus", ["0x1"], true],
  ["v0_9", "subscribeNewHeads", [], true],
  ["v0_9", "subscribeEvents", { from_address: STRK }, true],
  ["v0_9", "subscribeNewTransactions", {}, false],
  ["v0_9", "subscribeNewTransactionReceipts", {}, false],
  ["v0_8", "subscribeNewHeads", [], true],
  ["v0_8", "subscribeEvents", [], true],
  ["v0_8", "subscribePendingTransactions", {}, false],
];

interface Subscriber {
  readonly client: WsClient;
  readonly kind: (typeof KINDS)[number];
  readonly id: unknown;
}

type Result = Readonly<Record<string, unknown>>;

const chain = useChain();

const latestNumber = (): Promise<number> => resultOf(chain, "starknet_blockNumber");

async function subscriber(index: number): Promise<Subscriber> {
  const kind = KINDS[index % KINDS.length];
  if (kind === undefined) throw new RangeError("there is no such kind");
  const [path, method, params] = kind;
  const client = await WsClient.open(`ws://127.0.0.1:${chain.rpcPort}/rpc/${path}`);
  const { result: id, error } = await client.ask(`starknet_${method}`, params);
  expect([method, error]).toEqual([method, undefined]);
  return { client, kind, id };
}

/** Results that a subscriber received, in order. */
function resultsOf({ client }: Subscriber): Result[] {
  return client.received.map((message) => {
    const { result } = message["params"] as { result: unknown };
    return typeof result === "object" ? (result as Result) : { result };
  });
}

const isReorg = (result: Result): boolean => result["starting_block_number"] !== undefined;

/** Sends transfers until `isOver`; those that a revert interrupts are lost. */
async function keepSending(sender: number, isOver: () => boolean): Promise<number> {
  const signer = chain.signer(sender);
  let received = 0;
  while (!isOver()) {
    const nonce = await resultOf<string>(chain, "starknet_getNonce", [
      "pre_confirmed",
      hexFromFelt(signer.address),
    ]);
    const { body } = signedTransfer(CHAIN_ID, signer, BigInt(nonce), BigInt(0xe00 + received));
    const headers = { "content-type": "application/json" };
    const response = await fetch(chain.url, { method: "POST", headers, body });
    if ("result" in ((await response.json()) as object)) received++;
    await Bun.sleep(10);
  }
  return received;
}

/** Reverts blocks {@link ROUNDS} times. @returns the first reverted block of each */
async function revertBlocks(): Promise<number[]> {
  const starts: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const before = await latestNumber();
    while ((await latestNumber()) < before + 4) {
      await resultOf(chain, "devnet_createBlock");
      await Bun.sleep(20);
    }
    if (round % RESTART_EVERY === 2) {
      starts.push(1);
      await resultOf(chain, "devnet_restart");
      continue;
    }
    const start = Math.max(1, (await latestNumber()) - (round % 3));
    starts.push(start);
    await resultOf(chain, "devnet_abortBlocks", { starting_block_id: { block_number: start } });
  }
  return starts;
}

/**
 * Replays a client's heads; fails if one is repeated or missing. @returns the resulting block
 * hashes
 */
function chainOf(results: readonly Result[]): string[] {
  const known: Result[] = [];
  for (const result of results) {
    const below = known.at(-1);
    if (isReorg(result)) {
      const start = Number(result["starting_block_number"]);
      while (Number(known.at(-1)?.["block_number"] ?? -1) >= start) known.pop();
      continue;
    }
    if (below !== undefined) {
      expect(result["block_number"]).toBe(Number(below["block_number"]) + 1);
      expect(result["parent_hash"]).toBe(below["block_hash"]);
    }
    known.push(result);
  }
  return known.map((head) => String(head["block_hash"]));
}

/** Names of the notifications since the last reorg; fails if one is repeated. */
function namesOnce(results: readonly Result[], nameOf: (result: Result) => string): Set<string> {
  let names = new Set<string>();
  for (const result of results) {
    if (isReorg(result)) {
      names = new Set();
      continue;
    }
    const name = nameOf(result);
    expect(names.has(name)).toBe(false);
    names.add(name);
  }
  return names;
}

test("subscribers of all kinds get each reorg once, and miss and repeat nothing", async () => {
  const subscribers = await Promise.all(
    Array.from({ length: SUBSCRIBERS }, (_, i) => subscriber(i)),
  );
  const before = residentBytes(chain.pid);
  let isOver = false;
  const sending = Array.from({ length: SENDERS }, (_, i) => keepSending(i, () => isOver));
  const starts = await revertBlocks();
  await resultOf(chain, "devnet_createBlock");
  isOver = true;
  const received = await Promise.all(sending);
  await resultOf(chain, "devnet_createBlock");
  const latest = await latestNumber();
  const hashes: string[] = [];
  for (let block_number = 1; block_number <= latest; block_number++) {
    const block = await resultOf<Result>(chain, "starknet_getBlockWithTxHashes", [
      { block_number },
    ]);
    hashes.push(String(block["block_hash"]));
  }
  // Pending notifications precede the response to a later request, except those sent in portions:
  // wait for the last head.
  const last = hashes.at(-1);
  for (const { client, kind } of subscribers) {
    if (kind[1] !== "subscribeNewHeads") continue;
    while (!client.received.some((m) => JSON.stringify(m).includes(String(last))))
      await Bun.sleep(20);
  }
  await Promise.all(subscribers.map(({ client }) => client.ask("starknet_chainId")));

  expect(received.every((count) => count > 0)).toBe(true);
  const reorgs = subscribers
    .filter(({ kind: [, , , hasReorgs] }) => hasReorgs)
    .map((each) => resultsOf(each).filter(isReorg));
  for (const notified of reorgs) {
    expect(notified).toEqual(reorgs[0] ?? []);
    expect(notified.map((reorg) => Number(reorg["starting_block_number"]))).toEqual(starts);
  }
  for (const each of subscribers) {
    const [path, method, , hasReorgs] = each.kind;
    const results = resultsOf(each);
    expect(results.length).toBeGreaterThan(0);
    if (!hasReorgs) expect(results.filter(isReorg)).toEqual([]);
    if (method === "subscribeNewHeads") {
      expect(chainOf(results).slice(-hashes.length)).toEqual(hashes);
    } else if (hasReorgs && path === "v0_10" && method !== "subscribeTransactionStatus") {
      namesOnce(results, (result) =>
        ["transaction_hash", "event_index", "finality_status"]
          .map((name) => String(result[name]))
          .join(),
      );
    }
  }
  expect(residentBytes(chain.pid) - before).toBeLessThan(MAX_GROWTH_BYTES);
  for (const { client } of subscribers) client.close();
}, 120_000);
