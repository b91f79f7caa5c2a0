import { afterEach, describe, expect, test } from "bun:test";
import { RawConnection, rawPost, rpcBody } from "#test/helpers/raw-http.ts";
import { type SampleServer, serveSample } from "#test/helpers/sample-server.ts";
import { bySize } from "#test/helpers/test-size.ts";

/** Takes zlib tens to hundreds of milliseconds. */
const WORDS = bySize({ quick: 60_000, full: 300_000 });
const LONG = `{"result":"${Array.from({ length: WORDS }, (_, i) => Bun.hash(String(i)).toString(16)).join()}"}`;

const connections: RawConnection[] = [];
const servers: SampleServer[] = [];

afterEach(async () => {
  for (const connection of connections.splice(0)) connection.close();
  await Promise.all(servers.splice(0).map((server) => server.stop(0)));
});

/** Server whose query methods respond with {@link LONG}. */
async function serve(): Promise<SampleServer> {
  const answer = Buffer.from(LONG);
  const server = await serveSample({
    queryPool: { run: () => Promise.resolve(answer) },
  });
  servers.push(server);
  return server;
}

async function connect({ port }: SampleServer): Promise<RawConnection> {
  const connection = await RawConnection.open(port);
  connections.push(connection);
  return connection;
}

const longPost = (encoding: string): string =>
  rawPost(rpcBody(1, "getBlockWithTxHashes", ["latest"]), [`accept-encoding: ${encoding}`]);

describe("compressed response", () => {
  test.each(["gzip", "deflate", "br", "zstd", "identity"])(
    "can be decoded by a client that accepts %s",
    async (encoding) => {
      const { port } = await serve();
      const response = await fetch(`http://127.0.0.1:${port}`, {
        method: "POST",
        headers: { "accept-encoding": encoding },
        body: rpcBody(7, "getBlockWithTxHashes", ["latest"]),
      });
      expect(await response.text()).toBe(`{"jsonrpc":"2.0","id":7,${LONG.slice(1)}`);
    },
  );

  test("precedes the response to the next request", async () => {
    const connection = await connect(await serve());
    connection.send(longPost("gzip") + rawPost(rpcBody(2, "blockNumber")) + longPost("zstd"));
    const answers = await connection.responses(3);
    expect(answers.map(({ headers }) => headers["content-encoding"])).toEqual([
      "gzip",
      undefined,
      "zstd",
    ]);
    expect(JSON.parse(answers[1]?.body ?? "")).toEqual({ jsonrpc: "2.0", id: 2, result: 1 });
  });

  test("is dropped when the client disconnects, and its slot is freed", async () => {
    const server = await serve();
    for (let round = 0; round < 2; round++) {
      const leaving = await Promise.all(Array.from({ length: 20 }, () => connect(server)));
      for (const connection of leaving) connection.send(longPost("gzip"));
      await Bun.sleep(5);
      for (const connection of leaving) connection.close();
    }
    const deadline = performance.now() + 20_000;
    for (;;) {
      const connection = await connect(server);
      connection.send(longPost("gzip"));
      const [answer] = await connection.responses(1);
      expect(answer?.status).toBe(200);
      if (answer?.headers["content-encoding"] === "gzip") break;
      expect(performance.now()).toBeLessThan(deadline);
    }
  });

  test("completes before the server stops", async () => {
    const server = await serve();
    const connection = await connect(server);
    connection.send(longPost("gzip"));
    await Bun.sleep(10);
    const stopped = server.stop();
    const [answer] = await connection.responses(1);
    expect(answer).toMatchObject({
      status: 200,
      headers: { "content-encoding": "gzip", connection: "close" },
    });
    await stopped;
  });
});
