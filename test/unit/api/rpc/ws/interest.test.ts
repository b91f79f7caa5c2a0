import { expect, test } from "bun:test";
import { LiveFeed } from "#api/rpc/index.ts";
import { serveSample } from "#test/helpers/sample-server.ts";
import { WsClient } from "#test/helpers/ws-client.ts";

test.each(["RECEIVED", "CANDIDATE"])(
  "the feed is notified while a client subscribes to %s transactions",
  async (status) => {
    const feed = new LiveFeed();
    const interest: boolean[] = [];
    feed.onInterest((isWanted) => interest.push(isWanted));
    const server = await serveSample({ feed });
    const client = await WsClient.open(`ws://127.0.0.1:${server.port}/`);
    const params = { finality_status: [status] };
    const { result } = await client.ask("starknet_subscribeNewTransactions", params);
    await client.ask("starknet_blockNumber");
    for (let turn = 0; turn < 100 && interest.length === 0; turn++) await Bun.sleep(5);
    await client.ask("starknet_unsubscribe", [result]);
    expect(interest).toEqual([true, false]);
    client.close();
    await server.stop(0);
  },
);

test("the feed is not notified of subscriptions to executed transactions only", async () => {
  const feed = new LiveFeed();
  const interest: boolean[] = [];
  feed.onInterest((isWanted) => interest.push(isWanted));
  const server = await serveSample({ feed });
  const client = await WsClient.open(`ws://127.0.0.1:${server.port}/`);
  const params = { finality_status: ["PRE_CONFIRMED", "ACCEPTED_ON_L2"] };
  await client.ask("starknet_subscribeNewTransactions", params);
  await client.ask("starknet_blockNumber");
  await Bun.sleep(50);
  expect(interest).toEqual([]);
  client.close();
  await server.stop(0);
});
