import { describe, expect, test } from "bun:test";
import { WebSocketChannel } from "starknet";
import { hexFromFelt } from "#base/primitives/index.ts";
import { rawCall } from "#test/helpers/binary.ts";
import { HonestLoad } from "#test/helpers/honest-load.ts";
import { signedTransfer, type SignedTransfer } from "#test/helpers/load.ts";
import { RawConnection, rawHandshake } from "#test/helpers/raw-http.ts";
import { STRK } from "#test/helpers/tokens.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { useChain } from "#test/helpers/use-chain.ts";
import { WsClient } from "#test/helpers/ws-client.ts";
import { clientFrame, closeOf, type ServerFrame, serverFrames } from "#test/helpers/ws-frames.ts";
import { bySize } from "#test/helpers/test-size.ts";

const CHAIN_ID = "APPCHAIN_DEVNET";

/** Opcode of a close frame, RFC 6455, section 5.2. */
const CLOSE_OPCODE = 8;

const chain = useChain();

const wsUrl = (path = ""): string => `ws://127.0.0.1:${chain.rpcPort}${path}`;

/** Nonce of the account that {@link nextTransfer} uses. */
let nextNonce = 0n;

/** The next transfer of the last account, which the load does not use: each test can run alone. */
function nextTransfer(): SignedTransfer {
  return signedTransfer(CHAIN_ID, chain.signer(-1), nextNonce++, 0x99n);
}

async function submit({ body }: SignedTransfer): Promise<void> {
  const response = await fetch(chain.url, { method: "POST", body });
  expect(await response.json()).toHaveProperty("result");
}

/** Waits until a condition holds. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  expect(await untilTrue(holds, 60_000)).toBe(true);
}

test("every subscription of starknet.js is notified of a transfer", async () => {
  const channel = new WebSocketChannel({ nodeUrl: wsUrl("/rpc/v0_10"), autoReconnect: false });
  await channel.waitForConnection();
  const sent = nextTransfer();
  const hash = hexFromFelt(sent.hash);
  const sender = chain.accounts.at(-1)?.address ?? "";
  const notified = new Map<string, Record<string, unknown>[]>();
  const keep = (name: string) => (event: unknown) => {
    notified.set(name, [...(notified.get(name) ?? []), event as Record<string, unknown>]);
  };
  const statuses: string[] = ["RECEIVED", "CANDIDATE", "PRE_CONFIRMED", "ACCEPTED_ON_L2"];
  const heads = await channel.subscribeNewHeads();
  heads.on(keep("heads"));
  const events = await channel.subscribeEvents({
    fromAddress: STRK,
    finalityStatus: "PRE_CONFIRMED" as never,
  });
  events.on(keep("events"));
  (await channel.subscribeTransactionStatus({ transactionHash: hash })).on(keep("status"));
  (
    await channel.subscribeNewTransactions({
      finalityStatus: statuses as never,
      senderAddress: [sender],
    })
  ).on(keep("transactions"));
  (
    await channel.subscribeNewTransactionReceipts({
      finalityStatus: statuses.slice(2) as never,
      senderAddress: [sender],
    })
  ).on(keep("receipts"));

  await submit(sent);
  const finality = (name: string): unknown[] =>
    (notified.get(name) ?? [])
      .filter(({ transaction_hash }) => transaction_hash === hash)
      .map(
        ({ finality_status, status }) => finality_status ?? (status as never)["finality_status"],
      );
  // The transfer and its fee are one event each.
  const accepted = { events: 2, status: 1, transactions: 1, receipts: 1 };
  await until(() =>
    Object.entries(accepted).every(
      ([name, count]) =>
        finality(name).filter((status) => status === "ACCEPTED_ON_L2").length >= count,
    ),
  );
  expect(finality("transactions")).toEqual([...statuses]);
  expect(finality("receipts")).toEqual(["PRE_CONFIRMED", "ACCEPTED_ON_L2"]);
  expect(finality("status")).toEqual([...statuses]);
  expect(finality("events")).toEqual([
    "PRE_CONFIRMED",
    "PRE_CONFIRMED",
    "ACCEPTED_ON_L2",
    "ACCEPTED_ON_L2",
  ]);
  const number = notified.get("receipts")?.at(-1)?.["block_number"];
  expect(notified.get("heads")).toContainEqual(expect.objectContaining({ block_number: number }));

  const before = notified.get("events")?.length;
  expect(await events.unsubscribe()).toBe(true);
  await submit(nextTransfer());
  await until(() => (notified.get("receipts") ?? []).length === 4);
  expect(notified.get("events")?.length).toBe(before);
  channel.disconnect();
});

test("version 0.8 has pending transactions, and 0.7 has no subscriptions", async () => {
  const client = await WsClient.open(wsUrl("/rpc/v0_8"));
  await client.ask("starknet_subscribePendingTransactions");
  const sent = nextTransfer();
  await submit(sent);
  const hash = hexFromFelt(sent.hash);
  const { method, params } = await client.take((message) => message["method"] !== undefined);
  expect([method, (params as { result: unknown }).result]).toEqual([
    "starknet_subscriptionPendingTransactions",
    hash,
  ]);
  client.close();
  const oldest = await WsClient.open(wsUrl("/rpc/v0_7"));
  expect(await oldest.ask("starknet_subscribeNewHeads")).toMatchObject({ error: { code: -32601 } });
  oldest.close();
});

test("a subscription from an old block gets every later block once", async () => {
  await until(async () => Number((await rawCall(chain.url, "starknet_blockNumber")).result) >= 3);
  const client = await WsClient.open(wsUrl());
  await client.ask("starknet_subscribeNewHeads", { block_id: { block_number: 0 } });
  await submit(nextTransfer());
  const latest = Number((await rawCall(chain.url, "starknet_blockNumber")).result);
  await until(() => client.received.length > latest);
  expect(client.received.map(numberOf)).toEqual(client.received.map((_, i) => i));
  client.close();
});

const numberOf = (message: Record<string, unknown>): unknown =>
  (message["params"] as { result: { block_number: number } }).result.block_number;

/** Client of the load that subscribes to blocks and transfers. */
interface Listener {
  readonly client: WsClient;
  readonly heads: string;
  readonly events: string;
}

async function listener(finality: string): Promise<Listener> {
  const client = await WsClient.open(wsUrl());
  const idOf = async (method: string, params: unknown): Promise<string> =>
    String((await client.ask(`starknet_${method}`, params))["result"]);
  return {
    client,
    heads: await idOf("subscribeNewHeads", []),
    events: await idOf("subscribeEvents", { from_address: STRK, finality_status: finality }),
  };
}

interface EventNotice {
  readonly transaction_hash: string;
  readonly event_index: number;
  readonly block_number: number;
  readonly finality_status: string;
}

function resultsOf<T>(client: WsClient, id: string): T[] {
  return client.received.flatMap(({ params }) => {
    const notice = params as { subscription_id: string; result: T } | undefined;
    return notice?.subscription_id === id ? [notice.result] : [];
  });
}

/** All events of the token in a range of blocks, from getEvents. */
async function eventsOf(first: number, last: number): Promise<EventNotice[]> {
  const found: EventNotice[] = [];
  let token: string | undefined;
  do {
    const filter = {
      from_block: { block_number: first },
      to_block: { block_number: last },
      address: STRK,
      chunk_size: 1_000,
      ...(token === undefined ? {} : { continuation_token: token }),
    };
    const { result } = await rawCall(chain.url, "starknet_getEvents", { filter });
    const page = result as { events: EventNotice[]; continuation_token?: string };
    found.push(...page.events);
    token = page.continuation_token;
  } while (token !== undefined);
  return found;
}

const idOf = ({ transaction_hash, event_index }: EventNotice): string =>
  `${transaction_hash}/${event_index}`;

/** Whether the node has dropped a client for reading too slowly. */
async function isOneDropped(): Promise<boolean> {
  const text = await (await fetch(`http://127.0.0.1:${chain.metricsPort}/metrics`)).text();
  return /^appchain_ws_slow_clients_dropped 1$/m.test(text);
}

/** Opens a client that subscribes a lot and reads nothing. */
async function sleeper(): Promise<RawConnection> {
  const raw = await RawConnection.open(chain.rpcPort);
  raw.send(rawHandshake());
  await raw.responses(1);
  raw.pause();
  const params = { finality_status: ["PRE_CONFIRMED", "ACCEPTED_ON_L2"] };
  const batch = Array.from({ length: 90 }, (_, id) => ({
    jsonrpc: "2.0",
    id,
    method: "starknet_subscribeNewTransactionReceipts",
    params,
  }));
  for (let i = 0; i < 5; i++) raw.send(clientFrame(JSON.stringify(batch)));
  return raw;
}

const lastFrameOf = ({ rest }: RawConnection): ServerFrame | undefined =>
  serverFrames(Buffer.from(rest, "latin1")).frames.at(-1);

describe("under 50 transfers a second, with one client that does not read", () => {
  test("50 subscribers get everything once and in order; the slow one is dropped with a code", async () => {
    const listeners = await Promise.all(
      Array.from({ length: 50 }, (_, i) => listener(i < 25 ? "ACCEPTED_ON_L2" : "PRE_CONFIRMED")),
    );
    const first = Number((await rawCall(chain.url, "starknet_blockNumber")).result) + 1;
    const asleep = await sleeper();
    const accounts = chain.accounts.slice(0, -1);
    const load = new HonestLoad(
      { ...chain, accounts },
      { chainId: CHAIN_ID, transfersPerSecond: 50 },
    );
    load.start();
    // The slow client reads again once it is dropped, as the node waits only ten seconds for its close.
    const dropped = until(isOneDropped).then(() => asleep.resume());
    await Promise.all([Bun.sleep(bySize({ quick: 3_000, full: 8_000 })), dropped]);
    const { errors, received } = await load.stop();
    expect(errors).toEqual([]);
    expect(received.length).toBeGreaterThan(bySize({ quick: 75, full: 200 }));

    const isClosing = (): boolean => lastFrameOf(asleep)?.opcode === CLOSE_OPCODE;
    expect(await untilTrue(isClosing, 20_000, 100)).toBe(true);
    const close = lastFrameOf(asleep);
    expect(close && closeOf(close)[0]).toBe(1008);
    // The close of the client completes the handshake, so the node does not wait for it until its deadline.
    asleep.send(clientFrame(close?.payload ?? "", { opcode: CLOSE_OPCODE }));
    expect(await asleep.ends()).toBe(true);

    let lastBlock = 0;
    for (const hash of received) {
      await until(async () => {
        const { result } = await rawCall(chain.url, "starknet_getTransactionReceipt", [hash]);
        const { block_hash, block_number } = result as Record<string, unknown>;
        lastBlock = Math.max(lastBlock, Number(block_number));
        return block_hash !== undefined;
      });
    }
    // A client that knows a later block has received all of this one.
    await submit(nextTransfer());
    await until(() =>
      listeners.every(({ client, heads }) =>
        resultsOf<{ block_number: number }>(client, heads).some(
          ({ block_number }) => block_number > lastBlock,
        ),
      ),
    );
    const wanted = (await eventsOf(first, lastBlock)).map(idOf);
    expect(wanted.length).toBeGreaterThanOrEqual(received.length);
    for (const { client, heads, events } of listeners) {
      const numbers = resultsOf<{ block_number: number }>(client, heads).map(
        ({ block_number }) => block_number,
      );
      const begin = numbers[0] ?? 0;
      expect(begin).toBeLessThanOrEqual(first);
      expect(numbers).toEqual(numbers.map((_, i) => begin + i));
      const notices = resultsOf<EventNotice>(client, events).filter(
        ({ block_number }) => block_number >= first && block_number <= lastBlock,
      );
      const of = (finality: string): string[] =>
        notices.filter(({ finality_status }) => finality_status === finality).map(idOf);
      expect(of("ACCEPTED_ON_L2")).toEqual(wanted);
      const before = of("PRE_CONFIRMED");
      expect(before.length === 0 || before.join() === wanted.join()).toBe(true);
      expect(before.length > 0).toBe(listeners.findIndex((one) => one.client === client) >= 25);
      client.close();
    }
  }, 120_000);
});
