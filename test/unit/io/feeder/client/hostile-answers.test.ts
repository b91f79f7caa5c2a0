import { afterEach, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { writePreConfirmedBlock } from "#io/feeder/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import {
  answeringGateway,
  gatewayClient,
  json,
  type RawGateway,
  rawGateway,
} from "#test/helpers/gateway-servers.ts";
import { OpenBlocks } from "#test/helpers/open-blocks.ts";

const LIMITS = { maxAnswerBytes: 1 << 20, maxHeldBytes: 4 << 20 };

let gateway: RawGateway | undefined;
afterEach(() => {
  gateway?.stop();
  gateway = undefined;
});

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

test("truncates a member name of a megabyte in messages", async () => {
  const open = new OpenBlocks();
  open.set(3, "a", [1n]);
  const block = open.whole(3);
  if (block === undefined) throw new RangeError("no block");
  const json = writePreConfirmedBlock(block) as {
    transaction_state_diffs: { storage_diffs: Record<string, unknown> }[];
  };
  const [diff] = json.transaction_state_diffs;
  if (diff !== undefined) diff.storage_diffs = { ["x".repeat(1 << 20)]: [] };
  const body = JSON.stringify(json);
  gateway = await rawGateway((socket) => {
    socket.end(`${HEAD}content-length: ${body.length}\r\n\r\n${body}`);
  });
  const { client } = gatewayClient([gateway.url]);
  const error: unknown = await client.preConfirmed(3, undefined).catch((each: unknown) => each);
  expect(error).toMatchObject({ code: "NODE_BAD_ANSWER" });
  expect(String(error)).toContain("storage_diffs.xxx");
  expect(String(error).length).toBeLessThan(1_000);
});

test("counts compressed responses by their decompressed size", async () => {
  const packed = gzipSync(new Uint8Array(1 << 20).fill(0x20));
  let requests = 0;
  gateway = await rawGateway((socket) => {
    requests++;
    const size = `content-length: ${packed.length}\r\nconnection: close\r\n\r\n`;
    socket.write(`${HEAD}content-encoding: gzip\r\n${size}`);
    socket.end(packed);
  });
  // Half of the response fits.
  const limits = { ...LIMITS, maxHeldBytes: 1 << 19 };
  const { client, reports, stop } = gatewayClient([gateway.url], { limits });
  const question = client.wholeBlock(1).catch(String);
  while (reports.length < 1) await Bun.sleep(5);
  expect(reports[0]?.failure).toContain("exceed the memory limit together");
  stop.abort();
  await question;
  expect(requests).toBeGreaterThan(0);
});

test("rejects a compressed response with a false length", async () => {
  const packed = gzipSync(new Uint8Array(1 << 20).fill(0x20));
  packed.writeUInt32LE(10, packed.length - 4);
  gateway = await rawGateway((socket) => {
    const size = `content-length: ${packed.length}\r\nconnection: close\r\n\r\n`;
    socket.write(`${HEAD}content-encoding: gzip\r\n${size}`);
    socket.end(packed);
  });
  const { client } = gatewayClient([gateway.url], { limits: LIMITS });
  expect(client.wholeBlock(1)).rejects.toMatchObject({ code: "NODE_BAD_ANSWER" });
});

test("distrusts the gateway of the wrong response, not the latest to respond", async () => {
  const liar = answeringGateway(({ url }) =>
    url.includes("headerOnly") ? new Response("", { status: 503 }) : json({ a: 1 }),
  );
  const honest = answeringGateway(() => json({ block_hash: "0x1", block_number: 7 }));
  const { client } = gatewayClient([liar.url, honest.url], { timer: new FakeTimer() });
  try {
    const text = await client.wholeBlock(1);
    expect(await client.head()).toMatchObject({ number: 7 });
    client.distrust(text);
    await client.wholeBlock(2);
    expect(liar.asked.filter((path) => path.includes("get_state_update"))).toHaveLength(1);
    expect(honest.asked.filter((path) => path.includes("get_state_update"))).toHaveLength(1);
  } finally {
    await Promise.all([liar.stop(), honest.stop()]);
  }
});

test("distrusts the gateway of a malformed response", async () => {
  const liar = answeringGateway(() => json({ block_hash: "none" }));
  const honest = answeringGateway(() => json({ block_hash: "0x1", block_number: 7 }));
  const { client } = gatewayClient([liar.url, honest.url], { timer: new FakeTimer() });
  try {
    const error: unknown = await client.head().catch((each: unknown) => each);
    expect(error).toMatchObject({ code: "NODE_BAD_ANSWER" });
    client.distrust(error);
    expect(await client.head()).toMatchObject({ number: 7 });
    // A second report still concerns the same gateway.
    client.distrust(error);
    expect(await client.head()).toMatchObject({ number: 7 });
  } finally {
    await Promise.all([liar.stop(), honest.stop()]);
  }
});
