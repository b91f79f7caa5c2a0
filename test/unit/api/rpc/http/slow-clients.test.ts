import { afterAll, describe, expect, test } from "bun:test";
import { RawConnection, rawPost, rpcBody } from "#test/helpers/raw-http.ts";
import { exchange, serveSample } from "#test/helpers/sample-server.ts";
import { stallBoundMs } from "#test/helpers/stall.ts";

const BODY = rpcBody(1, "blockNumber");
const HEAD = "POST / HTTP/1.1\r\nhost: 127.0.0.1\r\n";

const hasty = await serveSample({
  timeouts: { headersMs: 300, requestMs: 600, idleMs: 2_000 },
});
afterAll(() => hasty.stop(0));

describe.concurrent("slow client", () => {
  const port = hasty.port;

  test("gets 408 during the head of a request", async () => {
    const parts = [
      "POST / HTTP/1.1\r\n",
      ...Array<(string | number)[]>(8).fill([200, "a: b\r\n"]).flat(),
    ];
    const { answers, connection } = await exchange(port, parts);
    expect([answers[0]?.status, await connection.ends()]).toEqual([408, true]);
  });

  test("gets 408 during a trickling body", async () => {
    const trickle = Array<(string | number)[]>(8).fill([200, " "]).flat();
    const { answers, connection } = await exchange(port, [
      `${HEAD}content-length: 1000\r\n\r\n`,
      ...trickle,
    ]);
    expect([answers[0]?.status, await connection.ends()]).toEqual([408, true]);
  });

  test("is not disconnected by a pause between requests", async () => {
    const { answers, connection } = await exchange(port, [rawPost(BODY), 1_000, rawPost(BODY)], {
      count: 2,
    });
    connection.close();
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  test("is disconnected when it is idle too long after a response", async () => {
    const { connection } = await exchange(port, [rawPost(BODY)]);
    expect(await connection.ends()).toBe(true);
  });

  test("is not limited by request timeouts while it waits for a response", async () => {
    const slow = await serveSample({
      timeouts: { headersMs: 200, requestMs: 300, idleMs: 10_000 },
      queryPool: {
        async run() {
          await Bun.sleep(1_500);
          return new TextEncoder().encode('{"result":5}');
        },
      },
    });
    const body = rpcBody(1, "getBlockWithTxHashes", ["latest"]);
    const { answers } = await exchange(slow.port, [rawPost(body)]);
    expect(JSON.parse(answers[0]?.body ?? "")).toMatchObject({ result: 5 });
    await slow.stop();
  });
});

describe("server stop", () => {
  test("waits for a response in progress and accepts no more requests", async () => {
    const queryPool = {
      async run() {
        await Bun.sleep(300);
        return new TextEncoder().encode('{"result":5}');
      },
    };
    const stopping = await serveSample({ queryPool });
    const connection = await RawConnection.open(stopping.port);
    connection.send(rawPost(rpcBody(1, "getBlockWithTxHashes", ["latest"])));
    await Bun.sleep(50);
    const stopped = stopping.stop();
    expect(JSON.parse((await connection.responses(1))[0]?.body ?? "")).toMatchObject({ result: 5 });
    // Well before connections are cut.
    expect(await connection.ends(1_500)).toBe(true);
    await stopped;
  });

  test("does not wait for a connection without a request", async () => {
    const stopping = await serveSample();
    const connection = await RawConnection.open(stopping.port);
    await stopping.stop();
    connection.close();
  });

  for (const [what, bytes] of [
    ["half a head", "POST / HT"],
    ["half a body", `${HEAD}content-length: 1000\r\n\r\n{`],
    ["a completed request", rawPost(BODY)],
  ] as const) {
    test(`closes a connection with ${what}`, async () => {
      const stopping = await serveSample();
      const connection = await RawConnection.open(stopping.port);
      connection.send(bytes);
      await Bun.sleep(50);
      const longestMs = stallBoundMs(3_000);
      const startMs = performance.now();
      await stopping.stop(200);
      expect(performance.now() - startMs).toBeLessThan(longestMs);
      expect(await connection.ends()).toBe(true);
    });
  }
});
