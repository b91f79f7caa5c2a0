import { afterEach, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { INVOKE } from "#test/helpers/broadcasted.ts";
import { MAX_PIPELINED } from "#api/rpc/http/refusals.ts";
import { RawConnection, rawPost, rpcBody } from "#test/helpers/raw-http.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import type { FullContext } from "#test/helpers/serving.ts";
import { type SampleServer, serveSample } from "#test/helpers/sample-server.ts";

const connections: { close(): void }[] = [];
const servers: SampleServer[] = [];

afterEach(async () => {
  for (const each of connections.splice(0)) each.close();
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

/** Accepts transactions after a delay. */
function slowSubmitter(
  submitted: number[],
  end: () => Promise<void> = () => Bun.sleep(30),
): FullContext["submit"] {
  const accept = async () => {
    submitted.push(submitted.length + 1);
    const transactionHash = BigInt(submitted.length);
    await end();
    return { kind: "accepted", transactionHash } as const;
  };
  return { submit: accept, declare: accept };
}

async function connection(
  submitted: number[] = [],
  end?: () => Promise<void>,
): Promise<RawConnection> {
  const submit = slowSubmitter(submitted, end);
  const server = await serveSample({ context: sampleContext({ submit }) });
  servers.push(server);
  const raw = await RawConnection.open(server.port);
  connections.push(raw);
  return raw;
}

const add = (id: number): string => rawPost(rpcBody(id, "addInvokeTransaction", [INVOKE]));
const read = (id: number): string => rawPost(rpcBody(id, "blockNumber"));
const parsed = (bodies: readonly { readonly body: string }[]): unknown[] =>
  bodies.map(({ body }) => JSON.parse(body) as unknown);

describe("pipelined requests", () => {
  test("two submissions in one write are both answered in order", async () => {
    const submitted: number[] = [];
    const raw = await connection(submitted);
    const answers = await raw.send(add(1) + add(2)).responses(2);
    expect(parsed(answers)).toEqual([
      { jsonrpc: "2.0", id: 1, result: { transaction_hash: "0x1" } },
      { jsonrpc: "2.0", id: 2, result: { transaction_hash: "0x2" } },
    ]);
    expect(submitted).toEqual([1, 2]);
  });

  test("a fast request behind a slow one is answered second", async () => {
    const answers = await (await connection()).send(add(1) + read(2)).responses(2);
    expect(parsed(answers)).toMatchObject([{ id: 1 }, { id: 2, result: 1 }]);
  });

  test("a request that arrives during another one is answered too", async () => {
    const raw = (await connection()).send(add(1));
    await Bun.sleep(10);
    expect(parsed(await raw.send(read(2)).responses(2))).toMatchObject([{ id: 1 }, { id: 2 }]);
  });

  test("a hundred fast requests are answered in order", async () => {
    const ids = Array.from({ length: 100 }, (_, i) => i);
    const answers = await (await connection()).send(ids.map(read).join("")).responses(100);
    expect(parsed(answers)).toEqual(ids.map((id) => ({ jsonrpc: "2.0", id, result: 1 })));
  });

  test("requests split anywhere are reassembled", async () => {
    const raw = await connection();
    const bytes = add(1) + read(2) + add(3);
    for (let at = 0; at < bytes.length; at += 97) {
      raw.send(bytes.slice(at, at + 97));
      await Bun.sleep(1);
    }
    expect(parsed(await raw.responses(3))).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  test("requests after one with `connection: close` are not executed", async () => {
    const submitted: number[] = [];
    const raw = await connection(submitted);
    const closing = rawPost(rpcBody(1, "addInvokeTransaction", [INVOKE]), ["connection: close"]);
    const answers = await raw.send(closing + add(2)).responses(2);
    expect(parsed(answers)).toMatchObject([{ id: 1 }]);
    expect(submitted).toEqual([1]);
  });

  test("requests after a rejected body are not executed", async () => {
    const submitted: number[] = [];
    const raw = await connection(submitted);
    const answers = await raw
      .send(
        `${add(1)}POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 99999999\r\n\r\n${add(2)}`,
      )
      .responses(3);
    expect(answers.map(({ status }) => status)).toEqual([200, 413]);
    expect(await raw.ends()).toBe(true);
    expect(submitted).toEqual([1]);
  });

  test("requests after a body that inflates beyond the limit are not executed", async () => {
    const submitted: number[] = [];
    const raw = await connection(submitted);
    const bomb = gzipSync(Buffer.alloc(20 << 20));
    raw.send(`POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-encoding: gzip\r\n`);
    raw
      .send(`content-length: ${bomb.length}\r\n\r\n`)
      .send(bomb)
      .send(add(1) + add(2));
    expect((await raw.responses(3)).map(({ status }) => status)).toEqual([413]);
    expect(await raw.ends()).toBe(true);
    await Bun.sleep(50);
    expect(submitted).toEqual([]);
  });

  test("bytes that are not HTTP are rejected after earlier responses", async () => {
    const submitted: number[] = [];
    const raw = await connection(submitted);
    const answers = await raw.send(`${add(1)}nonsense\r\n\r\n`).responses(2);
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
    expect(await raw.ends()).toBe(true);
    expect(submitted).toEqual([1]);
  });

  test("requests above the limit are rejected in turn, and the connection ends", async () => {
    const health = "GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";
    const raw = (await connection()).send(add(1) + health.repeat(MAX_PIPELINED + 500));
    const answers = await raw.responses(MAX_PIPELINED + 500);
    expect(answers.slice(0, -1).map(({ status }) => status)).toEqual(
      Array<number>(MAX_PIPELINED + 1).fill(200),
    );
    expect([answers.at(-1)?.status, await raw.ends()]).toEqual([429, true]);
  });

  test("requests of a closed connection are not executed", async () => {
    const submitted: number[] = [];
    const first = Promise.withResolvers<void>();
    const raw = await connection(submitted, () => first.promise);
    raw.send(add(1) + add(2) + add(3));
    while (submitted.length === 0) await Bun.sleep(5);
    raw.close();
    await Bun.sleep(200);
    first.resolve();
    await Bun.sleep(100);
    expect(submitted).toEqual([1]);
  });
});
