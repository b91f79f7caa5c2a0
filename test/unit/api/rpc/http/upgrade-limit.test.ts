import { expect, test } from "bun:test";
import { UpgradeLimit } from "#api/rpc/http/upgrade-limit.ts";
import { RawConnection, rawHandshake } from "#test/helpers/raw-http.ts";
import { serveSample } from "#test/helpers/sample-server.ts";

test("UpgradeLimit reserves an eighth of the slots for requests, and none of fewer than eight", () => {
  for (const [places, limitOfUpgrades] of [
    [1_000, 875],
    [8, 7],
    [4, 4],
    [1, 1],
  ] as const) {
    const limit = new UpgradeLimit(places);
    let entered = 0;
    while (limit.enter()) entered++;
    expect([places, entered]).toEqual([places, limitOfUpgrades]);
    limit.leave();
    expect([limit.enter(), limit.enter()]).toEqual([true, false]);
  }
});

const HANDSHAKE = rawHandshake();

test("a WebSocket above the limit gets 503 while requests are served, and a closed one frees its slot", async () => {
  const server = await serveSample({ connections: { max: 8, maxPerAddress: Infinity } });
  const ask = async (bytes: string) => {
    const connection = await RawConnection.open(server.port);
    const [answer] = await connection.send(bytes).responses(1);
    return { connection, status: answer?.status };
  };
  const connections = [];
  for (let i = 0; i < 7; i++) connections.push(await ask(HANDSHAKE));
  expect(connections.map(({ status }) => status)).toEqual(Array<number>(7).fill(101));
  expect((await ask(HANDSHAKE)).status).toBe(503);
  const health = "GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
  const deadline = performance.now() + 10_000;
  let status: number | undefined;
  while (status !== 200 && performance.now() < deadline) status = (await ask(health)).status;
  expect(status).toBe(200);
  connections[0]?.connection.close();
  status = undefined;
  while (status !== 101 && performance.now() < deadline) status = (await ask(HANDSHAKE)).status;
  expect(status).toBe(101);
  await server.stop(0);
});
