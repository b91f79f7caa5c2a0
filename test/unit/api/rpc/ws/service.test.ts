import { afterEach, expect, test } from "bun:test";
import { LiveFeed } from "#api/rpc/index.ts";
import { WsClient } from "#test/helpers/ws-client.ts";
import { type SampleOptions, type SampleServer, serveSample } from "#test/helpers/sample-server.ts";
import type { FullContext } from "#test/helpers/serving.ts";

const servers: SampleServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop(0))));

/** Client of a new server. */
async function clientOf(options: SampleOptions<FullContext>): Promise<WsClient> {
  const server = await serveSample(options);
  servers.push(server);
  return WsClient.open(`ws://127.0.0.1:${server.port}/`);
}

test("a WebSocket address above its rate limit is rejected", async () => {
  const client = await clientOf({ rateLimit: { perSecond: 0.01, burst: 3 } });
  const codes: unknown[] = [];
  for (let i = 0; i < 5; i++) {
    const { error } = await client.ask("starknet_blockNumber");
    codes.push((error as { code: number } | undefined)?.code);
  }
  expect(codes).toEqual([undefined, undefined, undefined, -32005, -32005]);
  client.close();
});

test("the feed is notified while a client subscribes to candidates", async () => {
  const feed = new LiveFeed();
  const interest: boolean[] = [];
  feed.onInterest((isWanted) => interest.push(isWanted));
  const client = await clientOf({ feed });
  const { result: subscription_id } = await client.ask("starknet_subscribeNewTransactions", {
    finality_status: ["CANDIDATE"],
  });
  expect(interest).toEqual([true]);
  await client.ask("starknet_unsubscribe", { subscription_id });
  expect(interest).toEqual([true, false]);
  client.close();
});
