import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import {
  type AnsweringGateway,
  answeringGateway,
  fault,
  gatewayClient,
  json,
} from "#test/helpers/gateway-servers.ts";

let first: AnsweringGateway;
let second: AnsweringGateway;

beforeEach(() => {
  first = answeringGateway();
  second = answeringGateway();
});
afterEach(async () => {
  await first.stop();
  await second.stop();
});

const REFERENCE = { block_hash: "0xabc", block_number: 7 };

describe("GatewayClient", () => {
  test("requests what a follower needs from the paths of the feeder gateway", async () => {
    const { client, reports } = gatewayClient([first.url]);
    first.answer = () => json(REFERENCE);
    expect(await client.head()).toEqual({ number: 7, hash: 0xabcn });
    expect(await client.reference(7)).toEqual({ number: 7, hash: 0xabcn });
    first.answer = () => new Response("{}");
    const texts = [
      await client.wholeBlock(8),
      await client.signature(8),
      await client.contractClass(5n),
      await client.compiledClass(5n),
    ];
    for (const text of texts) expect(new TextDecoder().decode(text)).toBe("{}");
    first.answer = () => json("0x123");
    expect(await client.publicKey()).toBe(0x123n);
    first.answer = () => json({ Starknet: `0x${"a".repeat(40)}`, strk_l2_token_address: "0x5" });
    expect(await client.contractAddresses()).toMatchObject({ nativeFeeToken: 5n });
    first.answer = () => json({ changed: false });
    expect(await client.preConfirmed(9, undefined)).toEqual({ kind: "unchanged" });
    const known = { identifier: "0x9 &", transactionCount: 3 };
    expect(await client.preConfirmed("latest", known)).toEqual({ kind: "unchanged" });
    first.answer = () => json({ tx_status: "RECEIVED", finality_status: "RECEIVED" });
    expect(await client.transactionStatus(0xdn)).toMatchObject({
      kind: "status",
      status: { status: "RECEIVED" },
    });
    expect(first.asked).toEqual([
      "/feeder_gateway/get_block?blockNumber=latest&headerOnly=true",
      "/feeder_gateway/get_block?blockNumber=7&headerOnly=true",
      "/feeder_gateway/get_state_update?blockNumber=8&includeBlock=true&includeSignature=true",
      "/feeder_gateway/get_signature?blockNumber=8",
      "/feeder_gateway/get_class_by_hash?classHash=0x5&blockNumber=latest",
      "/feeder_gateway/get_compiled_class_by_class_hash?classHash=0x5&blockNumber=latest",
      "/feeder_gateway/get_public_key",
      "/feeder_gateway/get_contract_addresses",
      "/feeder_gateway/get_preconfirmed_block?blockNumber=9&blockIdentifier=0x0&knownTransactionCount=0",
      "/feeder_gateway/get_preconfirmed_block?blockNumber=latest&blockIdentifier=0x9+%26&knownTransactionCount=3",
      "/feeder_gateway/get_transaction_status?transactionHash=0xd",
    ]);
    expect(reports.map(({ outcome }) => outcome)).toEqual(first.asked.map(() => "answered"));
    expect(reports[0]).toMatchObject({ url: `${first.url}/feeder_gateway`, route: "get_block" });
  });

  test.each([
    ["StarknetErrorCode.", 400],
    ["StarkErrorCode.", 400],
    ["StarknetErrorCode.", 404],
    ["StarknetErrorCode.", 500],
  ])("returns undefined for %sBLOCK_NOT_FOUND with status %i", async (prefix, status) => {
    const { client } = gatewayClient([first.url]);
    first.answer = () => json({ code: `${prefix}BLOCK_NOT_FOUND`, message: "none" }, status);
    expect(await client.head()).toBeUndefined();
    expect(await client.reference(1)).toBeUndefined();
    expect(await client.wholeBlock(1)).toBeUndefined();
    expect(await client.signature(1)).toBeUndefined();
    expect(await client.preConfirmed(1, undefined)).toBeUndefined();
    first.answer = () => json({ code: `${prefix}UNDECLARED_CLASS`, message: "none" }, status);
    expect(await client.contractClass(1n)).toBeUndefined();
    expect(await client.compiledClass(1n)).toBeUndefined();
  });

  test("reports other errors of the gateway", async () => {
    const { client } = gatewayClient([first.url]);
    first.answer = () => fault("MALFORMED_REQUEST", "x".repeat(5000));
    const asked = client.wholeBlock(1);
    expect(asked).rejects.toMatchObject({ code: "NODE_BAD_ANSWER" });
    expect(asked).rejects.toThrow(/refused get_state_update: .*MALFORMED_REQUEST: x{100,600}$/);
    first.answer = () => fault("UNDECLARED_CLASS");
    expect(client.head()).rejects.toThrow(/UNDECLARED_CLASS/);
    first.answer = () => fault("BLOCK_NOT_FOUND");
    expect(client.publicKey()).rejects.toMatchObject({ code: "NODE_BAD_ANSWER" });
  });

  test("sends the throttling key to both gateways and reports it nowhere", async () => {
    const { client, reports } = gatewayClient([first.url, "http://127.0.0.1:1"], {
      throttlingKey: "secret-key",
    });
    first.answer = () => json(REFERENCE);
    await client.head();
    first.answer = () => json({ code: "TRANSACTION_RECEIVED", transaction_hash: "0x1" });
    await client.addTransaction("{}", false);
    first.answer = () => new Response("secret?", { status: 503 });
    const failed = await client.transactionStatus(1n);
    expect(first.headers.map((headers) => headers.get("x-throttling-bypass"))).toEqual(
      first.asked.map(() => "secret-key"),
    );
    expect(JSON.stringify([reports, failed])).not.toContain("secret");
  });

  test("sends URL credentials and keeps them out of messages", async () => {
    const hidden = first.url.replace("//", "//user:hush@");
    const { client, reports } = gatewayClient([hidden, "http://user:hush@127.0.0.1:1"]);
    first.answer = () => new Response("[", { status: 200 });
    const refused: unknown = await client.head().catch((error: unknown) => error);
    const unreachable = await client.addTransaction("{}", false);
    const unread = await client.transactionStatus(1n);
    const [headers] = first.headers;
    expect(headers?.get("authorization")).toBe(`Basic ${btoa("user:hush")}`);
    expect(Bun.inspect([refused, unreachable, unread, reports])).not.toContain("hush");
    expect(String(refused)).toContain(first.url);
  });
});

describe("GatewayClient with several gateways", () => {
  test("uses only the first while it responds", async () => {
    const { client } = gatewayClient([first.url, second.url]);
    first.answer = () => fault("BLOCK_NOT_FOUND");
    second.answer = () => json(REFERENCE);
    for (let i = 0; i < 3; i++) expect(await client.head()).toBeUndefined();
    expect([first.asked.length, second.asked.length]).toEqual([3, 0]);
  });

  test("fails over immediately and returns to the first after a pause", async () => {
    const timer = new FakeTimer();
    const urls = ["http://127.0.0.1:1", first.url, second.url];
    const { client, reports } = gatewayClient(urls, { timer });
    first.answer = () => new Response("Service disabled", { status: 503 });
    second.answer = () => json(REFERENCE);
    expect(await client.head()).toMatchObject({ number: 7 });
    expect(reports.map(({ outcome }) => outcome)).toEqual(["failed", "failed", "answered"]);
    first.answer = () => json({ ...REFERENCE, block_number: 8 });
    // Failed gateways are skipped during their pause.
    expect(await client.head()).toMatchObject({ number: 7 });
    timer.advance(249);
    expect(await client.head()).toMatchObject({ number: 7 });
    timer.advance(1);
    expect(await client.head()).toMatchObject({ number: 8 });
  });

  test("avoids a distrusted gateway for 60 seconds", async () => {
    const timer = new FakeTimer();
    const { client } = gatewayClient([first.url, second.url], { timer });
    first.answer = () => json(REFERENCE);
    second.answer = () => json({ ...REFERENCE, block_number: 9 });
    expect(await client.head()).toMatchObject({ number: 7 });
    client.distrust(undefined);
    expect(await client.head()).toMatchObject({ number: 9 });
    timer.advance(59_999);
    expect(await client.head()).toMatchObject({ number: 9 });
    timer.advance(1);
    expect(await client.head()).toMatchObject({ number: 7 });
  });

  test("uses a distrusted gateway when no other responds", async () => {
    const { client } = gatewayClient([first.url, second.url]);
    first.answer = () => json(REFERENCE);
    expect(await client.head()).toMatchObject({ number: 7 });
    client.distrust(undefined);
    await second.stop();
    expect(await client.head()).toMatchObject({ number: 7 });
  });

  test("alternates between gateways that are all distrusted", async () => {
    const timer = new FakeTimer();
    const { client } = gatewayClient([first.url, second.url], { timer });
    for (let i = 0; i < 6; i++) {
      expect(await client.wholeBlock(i)).toBeDefined();
      client.distrust(undefined);
      timer.advance(1);
    }
    expect([first.asked.length, second.asked.length]).toEqual([3, 3]);
  });
});
