import { expect, test } from "bun:test";
import { createMethodTables, type DevnetContext, withDevnet } from "#api/rpc/index.ts";
import { httpHandler, httpRequest, textOf } from "#test/helpers/http-handler.ts";

test("GET /is_alive is served where devnet methods are", async () => {
  const [newest, ...older] = createMethodTables();
  const developing = httpHandler<DevnetContext>({ tables: [withDevnet(newest), ...older] });
  const alive = await developing(httpRequest("GET", "/is_alive"));
  expect([alive.status, textOf(alive)]).toEqual([200, "Alive!!!"]);
  expect((await developing(httpRequest("POST", "/is_alive"))).status).toBe(404);
  expect((await httpHandler()(httpRequest("GET", "/is_alive"))).status).toBe(404);
});
