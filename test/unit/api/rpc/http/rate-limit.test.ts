import { afterAll, describe, expect, test } from "bun:test";
import { RawConnection, rawPost, rpcBody } from "#test/helpers/raw-http.ts";
import { serveSample } from "#test/helpers/sample-server.ts";

const servers: Awaited<ReturnType<typeof serveSample>>[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop(0))));

/** Connection to a server that allows `burst` calls per address, and almost none after them. */
async function limited(burst: number): Promise<RawConnection> {
  const server = await serveSample({ rateLimit: { perSecond: 0.01, burst } });
  servers.push(server);
  return RawConnection.open(server.port);
}

const call = (id: number) => rpcBody(id, "blockNumber");

describe("address above its rate limit", () => {
  test("gets 429 with the id, the limit error and Retry-After", async () => {
    const connection = await limited(2);
    for (const id of [1, 2, 3]) connection.send(rawPost(call(id)));
    const answers = await connection.responses(3);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    const [, , refused] = answers;
    expect(refused?.headers["retry-after"]).toBe("100");
    expect(JSON.parse(refused?.body ?? "")).toEqual({
      jsonrpc: "2.0",
      id: 3,
      error: {
        code: -32005,
        message: "Limit exceeded",
        data: "too many calls from this address: try again in 100 s",
      },
    });
    // The connection stays usable.
    expect((await connection.send(rawPost(call(4))).responses(1))[0]?.status).toBe(429);
  });

  test("is charged for each call of a batch", async () => {
    const connection = await limited(5);
    const batch = `[${[1, 2, 3, 4, 5].map(call).join(",")}]`;
    connection.send(rawPost(batch)).send(rawPost(call(6)));
    const answers = await connection.responses(2);
    expect(answers.map(({ status }) => status)).toEqual([200, 429]);
    const refusedBatch = (await connection.send(rawPost(batch)).responses(1))[0];
    expect(refusedBatch?.status).toBe(429);
    expect(JSON.parse(refusedBatch?.body ?? "")).toMatchObject({ id: null });
  });

  test("is charged for invalid JSON and unsupported versions too", async () => {
    const connection = await limited(2);
    const old = rawPost(call(1)).replace("POST / ", "POST /rpc/v0_6 ");
    connection
      .send(rawPost("{"))
      .send(old)
      .send(rawPost(call(2)))
      .send(old);
    const statuses = (await connection.responses(4)).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 429, 429]);
  });

  test("gets 429 before its body has arrived", async () => {
    const connection = await limited(1);
    connection.send(rawPost(call(1)));
    connection.send(
      "POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 10000000\r\n\r\n{".padEnd(5_000),
    );
    const answers = await connection.responses(2);
    expect(answers.map(({ status }) => status)).toEqual([200, 429]);
    expect(await connection.ends()).toBe(true);
  });

  test("can still query the health of the node", async () => {
    const connection = await limited(1);
    connection.send(rawPost(call(1))).send(rawPost(call(2)));
    connection.send("GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
    const statuses = (await connection.responses(3)).map(({ status }) => status);
    expect(statuses).toEqual([200, 429, 200]);
  });

  test("is limited across all its connections", async () => {
    const server = await serveSample({ rateLimit: { perSecond: 0.01, burst: 10 } });
    servers.push(server);
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async (_, id) => {
        const connection = await RawConnection.open(server.port);
        const [answer] = await connection.send(rawPost(call(id))).responses(1);
        connection.close();
        return answer?.status;
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
  });
});

test("a server without a rate limit rejects no call", async () => {
  const server = await serveSample();
  servers.push(server);
  const connection = await RawConnection.open(server.port);
  for (let id = 0; id < 300; id++) connection.send(rawPost(call(id)));
  const answers = await connection.responses(300);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  connection.close();
});
