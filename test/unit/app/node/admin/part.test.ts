import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { hexFromFelt } from "#base/primitives/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { openAdminListener } from "#api/rpc/index.ts";
import { ChainView } from "#app/node/storage/chain/chain-view.ts";
import { Production } from "#app/node/production/production.ts";
import type { NodeOptions } from "#app/node/setup/node-options.ts";
import { type AdminNeeds, serveAdminOf } from "#app/node/admin/part.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { nonceState } from "#test/helpers/mempool-world.ts";
import { nodeHost } from "#test/helpers/node-host.ts";
import { nodeOptions } from "#test/helpers/node-options.ts";
import { replicationOptions } from "#test/helpers/options.ts";
import { SILENT, unused } from "#test/helpers/serving.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { roomyBytes } from "#test/helpers/held-bytes.ts";

const TOKEN = "0123456789abcdef0123456789abcdef";

/** Admin methods of a role with these contexts. */
async function world(main: readonly string[], replication: NodeOptions["replication"] = null) {
  using folder = temporaryFolder();
  const adminTokenFile = folder.file("token");
  writeFileSync(adminTokenFile, TOKEN, { mode: 0o600 });
  const lines: string[] = [];
  const options = await nodeOptions({});
  const held = roomyBytes();
  const admin = await openAdminListener(0, held);
  const remote = {
    control: unused("control"),
    onGrowth: () => undefined,
    onInterrupt: () => undefined,
  };
  const production: object = Object.create(Production.prototype) as object;
  const services = Object.assign(production, { admission: unused("admission"), remote });
  serveAdminOf(
    { ...options, replication, rpc: { ...options.rpc, adminTokenFile } },
    {
      endpoints: {
        admin,
        held,
        observer: SILENT,
        rpc: { connections: 3 } as AdminNeeds["endpoints"]["rpc"],
      },
      role: { contexts: { main } },
      roles: { services: services as unknown as Production },
      context: sampleContext(),
      storage: {
        view: ChainView.ofStored(
          numberedChain(3, () => nonceState()),
          new FakeTimer(),
        ),
      },
      queryPool: unused("query pool"),
      reverts: { chain: unused("revert") },
    },
    nodeHost({
      log: createLogger({ level: "info", format: "text", write: (line) => lines.push(line) }),
    }),
  );
  const call = (token: string, method: string, params: readonly unknown[] = []) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const url = `http://127.0.0.1:${admin.port}`;
    return fetch(url, { method: "POST", body, headers });
  };
  const ask = async (token: string): Promise<number> => (await call(token, "admin_ping")).status;
  return { admin, lines, ask, call, stop: () => admin.stop(0, () => undefined) };
}

test("refuses and logs a call without the token", async () => {
  const { ask, lines, stop } = await world(["main", "admin"]);
  expect(await ask(TOKEN)).toBe(200);
  const before = lines.length;
  expect(await ask("wrong")).toBe(401);
  expect(lines.slice(before).join("")).toContain("refused a call without the token");
  await stop();
});

test("refuses to revert a chain that is shared with other sequencers", async () => {
  const { call, stop } = await world(["main", "admin"], replicationOptions());
  const { hash } = sampleContext().chain.header(1) ?? { hash: 0n };
  const answer = await call(TOKEN, "appchain_revertTo", [hexFromFelt(hash)]);
  expect(await answer.text()).toContain("the blocks are published");
  await stop();
});

test("serves no admin methods in a role without the admin context", async () => {
  const { lines, stop } = await world(["main"]);
  expect(lines).toEqual([]);
  await stop();
});
