import { expect, test } from "bun:test";
import { LiveFeed } from "#api/rpc/index.ts";
import { serveSample } from "#test/helpers/sample-server.ts";
import { WsClient } from "#test/helpers/ws-client.ts";

test.each(["RECEIVED", "CANDIDATE"])(
  "the feed is told whether a client wants to hear of transactions that are %s",
  async (status) => {
    const feed = new LiveFeed();
    const heard: boolean[] = [];
    feed.onInterest((isWanted) => heard.push(isWanted));
    const server = await serveSample({ feed });
    const client = await WsClient.open(`ws://127.0.0.1:${server.port}/`);
    const order = { finality_status: [status] };
    const { result } = await client.ask("starknet_subscribeNewTransactions", order);
    await client.ask("starknet_blockNumber");
    for (let turn = 0; turn < 100 && heard.length === 0; turn++) await Bun.sleep(5);
    await client.ask("starknet_unsubscribe", [result]);
    expect(heard).toEqual([true, false]);
    client.close();
    await server.stop(0);
  },
);

test("the feed is not told of a client that hears of executed transactions alone", async () => {
  const feed = new LiveFeed();
  const heard: boolean[] = [];
  feed.onInterest((isWanted) => heard.push(isWanted));
  const server = await serveSample({ feed });
  const client = await WsClient.open(`ws://127.0.0.1:${server.port}/`);
  const order = { finality_status: ["PRE_CONFIRMED", "ACCEPTED_ON_L2"] };
  await client.ask("starknet_subscribeNewTransactions", order);
  await client.ask("starknet_blockNumber");
  await Bun.sleep(50);
  expect(heard).toEqual([]);
  client.close();
  await server.stop(0);
});
