import { describe, expect, test } from "bun:test";
import { WS_LIMITS } from "#api/rpc/ws/limits.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { rawCall } from "#test/helpers/binary.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { residentBytes } from "#test/helpers/memory-watch.ts";
import { RawConnection, rawHandshake } from "#test/helpers/raw-http.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { useChain } from "#test/helpers/use-chain.ts";
import { WsClient } from "#test/helpers/ws-client.ts";
import { bySize } from "#test/helpers/test-size.ts";

/** Number of repetitions per client. */
const ROUNDS = bySize({ quick: 4, full: 20 });

const chain = useChain({ args: ["--log-level", "warn"] });

const open = (): Promise<WsClient> => WsClient.open(`ws://127.0.0.1:${chain.rpcPort}`);

/** Waits until a condition holds. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  expect(await untilTrue(holds, 30_000)).toBe(true);
}

/** Sum of a metric's values. */
async function metric(name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${chain.metricsPort}/metrics`)).text();
  return text
    .split("\n")
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

const subscriptions = (): Promise<number> => metric("appchain_ws_active_subscriptions_by_method");
const sockets = (): Promise<number> => metric("appchain_ws_sessions");

let nextNonce = 0n;

/** Sends a transfer and waits for its block. */
async function transfer(): Promise<string> {
  const signer = chain.signer(0);
  const { body, hash } = signedTransfer("APPCHAIN_DEVNET", signer, nextNonce++, 0x99n);
  const answer = await fetch(chain.url, { method: "POST", body });
  expect(await answer.json()).toHaveProperty("result");
  await until(async () => {
    const { result } = await rawCall(chain.url, "starknet_getTransactionReceipt", [
      hexFromFelt(hash),
    ]);
    return (result as { block_hash?: string } | undefined)?.block_hash !== undefined;
  });
  return hexFromFelt(hash);
}

/** Batch of requests of one kind. */
function batchOf(count: number, method: string, params: (i: number) => unknown): unknown[] {
  return Array.from({ length: count }, (_, id) => ({
    jsonrpc: "2.0",
    id,
    method: `starknet_${method}`,
    params: params(id),
  }));
}

/** Sends a batch and waits for its responses. */
async function askAll(client: WsClient, batch: unknown[]): Promise<Record<string, unknown>[]> {
  client.send(batch);
  return (await client.take(Array.isArray)) as unknown as Record<string, unknown>[];
}

test("acceptance on L1 is notified to subscribers of a transaction's status", async () => {
  const hash = await transfer();
  const client = await open();
  await client.ask("starknet_subscribeTransactionStatus", [hash]);
  await until(() => client.received.length === 1);
  const { error } = await rawCall(chain.url, "devnet_acceptOnL1", { starting_block_id: "latest" });
  expect(error).toBeUndefined();
  await until(() => client.received.length === 2);
  const statuses = client.received.map(
    ({ params }) => (params as { result: { status: { finality_status: string } } }).result.status,
  );
  expect(statuses.map(({ finality_status }) => finality_status)).toEqual([
    "ACCEPTED_ON_L2",
    "ACCEPTED_ON_L1",
  ]);
  client.close();
  await until(async () => (await sockets()) === 0);
});

describe("under attack", () => {
  test("10 000 subscriptions are notified of a transfer and free their memory when closed", async () => {
    const before = residentBytes(chain.pid);
    const clients = await Promise.all(Array.from({ length: 20 }, open));
    for (const client of clients) {
      for (let i = 0; i < 5; i++) {
        const answers = await askAll(
          client,
          batchOf(100, "subscribeEvents", () => []),
        );
        expect(answers.every(({ result }) => typeof result === "string")).toBe(true);
      }
    }
    expect(await subscriptions()).toBe(10_000);
    const hash = await transfer();
    // A transfer and its fee are one event each; those of the previous block were notified as well.
    const heard = ({ received }: WsClient): number =>
      received.filter(({ params }) => JSON.stringify(params).includes(hash)).length;
    await until(() => clients.every((client) => heard(client) === 1_000));
    for (const client of clients) client.close();
    await until(async () => (await sockets()) === 0);
    // Subscriptions are removed asynchronously.
    await until(async () => (await subscriptions()) === 0);
    expect(residentBytes(chain.pid) - before).toBeLessThan(300 << 20);
  }, 60_000);

  test("repeated subscribing and unsubscribing leaves no subscriptions", async () => {
    const clients = await Promise.all(Array.from({ length: 4 }, open));
    await Promise.all(
      clients.map(async (client) => {
        for (let i = 0; i < ROUNDS; i++) {
          const opened = await askAll(
            client,
            batchOf(100, "subscribeNewHeads", () => []),
          );
          const ids = opened.map(({ result }) => result);
          const closed = await askAll(
            client,
            batchOf(100, "unsubscribe", (at) => [ids[at]]),
          );
          expect(closed.every(({ result }) => result === true)).toBe(true);
        }
      }),
    );
    expect(await subscriptions()).toBe(0);
    expect(await metric("appchain_ws_subscriptions_opened")).toBeGreaterThanOrEqual(
      4 * 100 * ROUNDS,
    );
    for (const client of clients) client.close();
  }, 60_000);

  test("filters are limited per connection and in total", async () => {
    const addresses = Array.from({ length: 1_000 }, (_, i) => hexFromFelt(0x1000n + BigInt(i)));
    const refused: string[] = [];
    const clients: WsClient[] = [];
    for (let i = 0; i < bySize({ quick: 34, full: 40 }); i++) {
      const client = await open();
      clients.push(client);
      const answers = await askAll(
        client,
        batchOf(9, "subscribeEvents", () => ({ from_address: addresses })),
      );
      for (const { error } of answers) {
        const reason = (error as { data?: unknown; message: string } | undefined) ?? undefined;
        if (reason !== undefined) refused.push(JSON.stringify(reason));
      }
    }
    expect(refused.some((text) => text.includes("the filters of a connection"))).toBe(true);
    expect(
      refused.some((text) => text.includes("the node has reached its subscription limit")),
    ).toBe(true);
    expect(await subscriptions()).toBeLessThanOrEqual(WS_LIMITS.maxAllFilterFelts / 1_000);
    await transfer();
    for (const client of clients) client.close();
    await until(async () => (await subscriptions()) === 0);
  }, 60_000);

  test("sockets that open and vanish leave nothing, and the node still responds", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const raws = await Promise.all(
        Array.from({ length: 50 }, () => RawConnection.open(chain.rpcPort)),
      );
      for (const raw of raws) raw.send(rawHandshake());
      if (round % 2 === 0) await Promise.all(raws.map((raw) => raw.responses(1)));
      for (const raw of raws) raw.close();
    }
    await until(async () => (await sockets()) === 0);
    expect(await subscriptions()).toBe(0);
    const { result } = await rawCall(chain.url, "starknet_blockNumber");
    expect(result).toBeNumber();
  }, 60_000);
});
