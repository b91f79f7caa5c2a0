import { afterAll, describe, expect, test } from "bun:test";
import { QUERY_LANES } from "#api/rpc/batch.ts";
import type { Caller } from "#api/rpc/index.ts";
import { RawConnection, rawPost, rpcBody } from "#test/helpers/raw-http.ts";
import { serveSample } from "#test/helpers/sample-server.ts";

/** A query pool whose queries last until a test ends them. */
function openPool() {
  const asked: { readonly signal: AbortSignal | undefined; readonly end: () => void }[] = [];
  const queryPool = {
    run: (_: string, __: string, ___: string, caller: Caller | undefined) =>
      new Promise<Uint8Array>((resolve) => {
        asked.push({
          signal: caller?.signal,
          end: () => resolve(new TextEncoder().encode('{"result":5}')),
        });
      }),
  };
  return { asked, queryPool };
}

const { asked, queryPool } = openPool();
const server = await serveSample({ queryPool });
afterAll(() => server.stop(0));

/** One whose answer may change: others are asked of the pool once. */
const QUERY = rpcBody(1, "getBlockWithTxHashes", ["pre_confirmed"]);

/** Waits until `isSo`; whether it came about. */
async function comesAbout(isSo: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 500 && !isSo(); tries++) await Bun.sleep(10);
  return isSo();
}

async function asking(bytes: string, count: number) {
  asked.length = 0;
  const connection = await RawConnection.open(server.port);
  connection.send(bytes);
  expect(await comesAbout(() => asked.length === count)).toBe(true);
  return connection;
}

describe("a connection that is closed before its answer", () => {
  test("ends what was asked on it", async () => {
    const connection = await asking(rawPost(QUERY), 1);
    expect(asked[0]?.signal?.aborted).toBe(false);
    connection.close();
    expect(await comesAbout(() => asked[0]?.signal?.aborted === true)).toBe(true);
    asked[0]?.end();
  });

  test("ends the queries of a batch that were begun, and begins no further one", async () => {
    const batch = `[${Array.from({ length: 100 }, () => QUERY).join(",")}]`;
    const connection = await asking(rawPost(batch), QUERY_LANES);
    connection.close();
    expect(await comesAbout(() => asked.every(({ signal }) => signal?.aborted === true))).toBe(
      true,
    );
    for (const { end } of asked) end();
    await Bun.sleep(50);
    expect(asked).toHaveLength(QUERY_LANES);
  });

  test("asks nothing that waited behind it", async () => {
    const connection = await asking(rawPost(QUERY) + rawPost(QUERY), 1);
    connection.close();
    expect(await comesAbout(() => asked[0]?.signal?.aborted === true)).toBe(true);
    asked[0]?.end();
    await Bun.sleep(50);
    expect(asked).toHaveLength(1);
  });

  test("does not end what others ask", async () => {
    const connection = await asking(rawPost(QUERY), 1);
    const other = await RawConnection.open(server.port);
    other.send(rawPost(QUERY));
    expect(await comesAbout(() => asked.length === 2)).toBe(true);
    connection.close();
    expect(await comesAbout(() => asked[0]?.signal?.aborted === true)).toBe(true);
    expect(asked[1]?.signal?.aborted).toBe(false);
    for (const { end } of asked) end();
    expect((await other.responses(1))[0]?.status).toBe(200);
    other.close();
  });
});

test("a connection that is answered again and again can still be closed", async () => {
  const connection = await asking(rawPost(QUERY), 1);
  for (let i = 0; i < 20; i++) {
    asked.at(-1)?.end();
    expect((await connection.responses(1))[0]?.status).toBe(200);
    connection.send(rawPost(QUERY));
    expect(await comesAbout(() => asked.length === i + 2)).toBe(true);
  }
  connection.close();
  expect(await comesAbout(() => asked.at(-1)?.signal?.aborted === true)).toBe(true);
  asked.at(-1)?.end();
});
