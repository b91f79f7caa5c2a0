import { afterAll, describe, expect, test } from "bun:test";
import { QUERY_LANES } from "#api/rpc/batch.ts";
import type { Caller } from "#api/rpc/index.ts";
import { RawConnection, rawPost, rpcBody } from "#test/helpers/raw-http.ts";
import { serveSample } from "#test/helpers/sample-server.ts";

/** Query pool whose queries last until the test ends them. */
function openPool() {
  const runs: { readonly signal: AbortSignal | undefined; readonly end: () => void }[] = [];
  const queryPool = {
    run: (_: string, __: string, ___: string, caller: Caller | undefined) =>
      new Promise<Uint8Array>((resolve) => {
        runs.push({
          signal: caller?.signal,
          end: () => resolve(new TextEncoder().encode('{"result":5}')),
        });
      }),
  };
  return { runs, queryPool };
}

const { runs, queryPool } = openPool();
const server = await serveSample({ queryPool });
afterAll(() => server.stop(0));

/** Uses the pre-confirmed block: responses about accepted blocks are cached. */
const QUERY = rpcBody(1, "getBlockWithTxHashes", ["pre_confirmed"]);

/** Waits until `isSo`. @returns `false` on timeout */
async function eventually(isSo: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 500 && !isSo(); tries++) await Bun.sleep(10);
  return isSo();
}

async function sendQueries(bytes: string, count: number) {
  runs.length = 0;
  const connection = await RawConnection.open(server.port);
  connection.send(bytes);
  expect(await eventually(() => runs.length === count)).toBe(true);
  return connection;
}

describe("closing a connection before its response", () => {
  test("cancels its query", async () => {
    const connection = await sendQueries(rawPost(QUERY), 1);
    expect(runs[0]?.signal?.aborted).toBe(false);
    connection.close();
    expect(await eventually(() => runs[0]?.signal?.aborted === true)).toBe(true);
    runs[0]?.end();
  });

  test("cancels the running queries of a batch and starts no others", async () => {
    const batch = `[${Array.from({ length: 100 }, () => QUERY).join(",")}]`;
    const connection = await sendQueries(rawPost(batch), QUERY_LANES);
    connection.close();
    expect(await eventually(() => runs.every(({ signal }) => signal?.aborted === true))).toBe(true);
    for (const { end } of runs) end();
    await Bun.sleep(50);
    expect(runs).toHaveLength(QUERY_LANES);
  });

  test("does not run pipelined requests", async () => {
    const connection = await sendQueries(rawPost(QUERY) + rawPost(QUERY), 1);
    connection.close();
    expect(await eventually(() => runs[0]?.signal?.aborted === true)).toBe(true);
    runs[0]?.end();
    await Bun.sleep(50);
    expect(runs).toHaveLength(1);
  });

  test("leaves queries of other connections running", async () => {
    const connection = await sendQueries(rawPost(QUERY), 1);
    const other = await RawConnection.open(server.port);
    other.send(rawPost(QUERY));
    expect(await eventually(() => runs.length === 2)).toBe(true);
    connection.close();
    expect(await eventually(() => runs[0]?.signal?.aborted === true)).toBe(true);
    expect(runs[1]?.signal?.aborted).toBe(false);
    for (const { end } of runs) end();
    expect((await other.responses(1))[0]?.status).toBe(200);
    other.close();
  });
});

test("a connection can be closed mid-request after many responses", async () => {
  const connection = await sendQueries(rawPost(QUERY), 1);
  for (let i = 0; i < 20; i++) {
    runs.at(-1)?.end();
    expect((await connection.responses(1))[0]?.status).toBe(200);
    connection.send(rawPost(QUERY));
    expect(await eventually(() => runs.length === i + 2)).toBe(true);
  }
  connection.close();
  expect(await eventually(() => runs.at(-1)?.signal?.aborted === true)).toBe(true);
  runs.at(-1)?.end();
});
