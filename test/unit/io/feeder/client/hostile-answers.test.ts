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

test("a name of a megabyte is in no message", async () => {
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

test("packed answers count with what they unpack to", async () => {
  const packed = gzipSync(new Uint8Array(1 << 20).fill(0x20));
  let requests = 0;
  gateway = await rawGateway((socket) => {
    requests++;
    const size = `content-length: ${packed.length}\r\nconnection: close\r\n\r\n`;
    socket.write(`${HEAD}content-encoding: gzip\r\n${size}`);
    socket.end(packed);
  });
  // Half of it fits.
  const limits = { ...LIMITS, maxHeldBytes: 1 << 19 };
  const { client, told, stop } = gatewayClient([gateway.url], { limits });
  const question = client.wholeBlock(1).catch(String);
  while (told.length < 1) await Bun.sleep(5);
  expect(told[0]?.failure).toContain("exceed the memory limit together");
  stop.abort();
  await question;
  expect(requests).toBeGreaterThan(0);
});

test("a packed answer that is longer than it says is none", async () => {
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

test("the gateway is distrusted whose answer was wrong, not the one that has answered last", async () => {
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

test("the gateway is distrusted whose answer had another form", async () => {
  const liar = answeringGateway(() => json({ block_hash: "none" }));
  const honest = answeringGateway(() => json({ block_hash: "0x1", block_number: 7 }));
  const { client } = gatewayClient([liar.url, honest.url], { timer: new FakeTimer() });
  try {
    const error: unknown = await client.head().catch((each: unknown) => each);
    expect(error).toMatchObject({ code: "NODE_BAD_ANSWER" });
    client.distrust(error);
    expect(await client.head()).toMatchObject({ number: 7 });
    // Again, and it is still that one.
    client.distrust(error);
    expect(await client.head()).toMatchObject({ number: 7 });
  } finally {
    await Promise.all([liar.stop(), honest.stop()]);
  }
});
