import { afterEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { ChainView } from "#app/node/chain/chain-view.ts";
import { forwardTo } from "#app/node/clients/forward-to.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { createNodeMetrics } from "#base/telemetry/index.ts";
import { loadChainConfig } from "#protocol/config/index.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { emptyInvoke, nonceState } from "#test/helpers/mempool-world.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const servers: { stop(closes: boolean): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop(true)));
});

/** A gateway that refuses everything, and what it was asked. */
function gatewayServer() {
  const asked: { path: string; key: string | null }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const key = request.headers.get("x-throttling-bypass");
      asked.push({ path: new URL(request.url).pathname, key });
      const code = "StarknetErrorCode.INVALID_TRANSACTION_NONCE";
      return Response.json({ code, message: "no" }, { status: 400 });
    },
  });
  servers.push(server);
  const base = `http://127.0.0.1:${server.port}`;
  return { asked, urls: { feeder: `${base}/feeder_gateway`, gateway: `${base}/gateway` } };
}

async function world(key: string) {
  using folder = temporaryFolder();
  const gatewayKeyFile = folder.file("key");
  writeFileSync(gatewayKeyFile, key);
  const { asked, urls } = gatewayServer();
  const { config } = await loadChainConfig({ preset: "devnet", role: "full" });
  const metrics = createNodeMetrics();
  const view = new ChainView(
    numberedChain(3, () => nonceState()),
    SYSTEM_TIMER,
  );
  const forwarded = forwardTo(
    { gateways: [urls], gatewayKeyFile, stopAt: null, verify: "hashes", trustsCasm: false },
    { setup: { config }, view, metrics, onTaken: () => undefined, timer: SYSTEM_TIMER },
  );
  return { asked, forwarded, metrics };
}

test("a submission goes to the gateway with the key, and its refusal comes back", async () => {
  const { asked, forwarded, metrics } = await world("my-key\n");
  const answer = await forwarded.submit.submit(emptyInvoke(1n, 0n));
  expect(answer).toMatchObject({ kind: "rejected", code: "INVALID_TRANSACTION_NONCE" });
  expect(asked).toEqual([{ path: "/gateway/add_transaction", key: "my-key" }]);
  const { values } = await metrics.sync.gatewayRequests.get();
  expect(values).toMatchObject([{ labels: { route: "add_transaction" }, value: 1 }]);
  forwarded.stop();
});

test("once it is stopped nothing is asked any more", async () => {
  const { asked, forwarded } = await world("my-key");
  forwarded.stop();
  const ended = await forwarded.submit.submit(emptyInvoke(1n, 0n)).then(({ kind }) => kind, String);
  expect([ended === "accepted", asked.length]).toEqual([false, 0]);
});

test("a file without a key is refused", async () => {
  expect(await world("two words").then(() => "fulfilled", String)).toContain("expected the key");
});
