import { afterEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { ChainView } from "#app/node/storage/chain/chain-view.ts";
import { forwardTo, forwardToLeader } from "#app/node/sync/forwarding/forward-to.ts";
import type { LeaderAddress } from "#app/node/sync/forwarding/leader-gateway.ts";
import { chainIdFelt } from "#app/node/setup/setup.ts";
import { REQUEST_GRACE_MS } from "#app/node/query/rpc/serve.ts";
import { hexFromFelt, SYSTEM_TIMER, type Timer } from "#base/primitives/index.ts";
import { createNodeMetrics } from "#base/metrics/index.ts";
import type { ChainReader } from "#engine/state/index.ts";
import { transactionHash } from "#protocol/chain/index.ts";
import { loadChainConfig } from "#protocol/config/index.ts";
import { CLIENT } from "#test/helpers/clients.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { emptyInvoke, nonceState } from "#test/helpers/mempool-world.ts";
import { followOptions } from "#test/helpers/options.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const servers: { stop(closes: boolean): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop(true)));
});

const refusing = (): Response => {
  const code = "StarknetErrorCode.INVALID_TRANSACTION_NONCE";
  return Response.json({ code, message: "no" }, { status: 400 });
};

/** A gateway that always sends this response, and the requests that it received. */
function gatewayServer(answer: () => Response | Promise<Response>) {
  const asked: { path: string; key: string | null }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const key = request.headers.get("x-throttling-bypass");
      asked.push({ path: new URL(request.url).pathname, key });
      return answer();
    },
  });
  servers.push(server);
  const base = `http://127.0.0.1:${server.port}`;
  return { asked, urls: { feeder: `${base}/feeder_gateway`, gateway: `${base}/gateway` } };
}

const taking = (hash: bigint) => () =>
  Response.json({ code: "TRANSACTION_RECEIVED", transaction_hash: hexFromFelt(hash) });

async function world(
  key: string,
  answer: () => Response | Promise<Response> = refusing,
  chain: Partial<ChainReader> = {},
  timer: Timer = SYSTEM_TIMER,
) {
  using folder = temporaryFolder();
  const gatewayKeyFile = folder.file("key");
  writeFileSync(gatewayKeyFile, key);
  const { asked, urls } = gatewayServer(answer);
  const { config } = await loadChainConfig({ preset: "devnet", role: "full" });
  const metrics = createNodeMetrics();
  const view = ChainView.ofStored(
    { ...numberedChain(3, () => nonceState()), ...chain },
    SYSTEM_TIMER,
  );
  const forwarded = forwardTo(followOptions({ gateways: [urls], gatewayKeyFile }), {
    setup: { config },
    view,
    metrics,
    onForwarded: () => undefined,
    timer,
  });
  return { asked, forwarded, metrics };
}

test("sends a submission to the gateway with the key and returns its rejection", async () => {
  const { asked, forwarded, metrics } = await world("my-key\n");
  const answer = await forwarded.submit.submit(emptyInvoke(1n, 0n), CLIENT);
  expect(answer).toMatchObject({ kind: "rejected", code: "INVALID_TRANSACTION_NONCE" });
  expect(asked).toEqual([{ path: "/gateway/add_transaction", key: "my-key" }]);
  const { values } = await metrics.sync.gatewayRequests.get();
  expect(values).toMatchObject([{ labels: { route: "add_transaction" }, value: 1 }]);
  forwarded.stop(false);
});

test("keeps an accepted transaction in the mempool until this node has its block", async () => {
  const transaction = emptyInvoke(1n, 0n);
  const { config } = await loadChainConfig({ preset: "devnet", role: "full" });
  const hash = transactionHash(transaction, chainIdFelt(config));
  const before = await world("my-key", taking(hash));
  expect(await before.forwarded.submit.submit(transaction, CLIENT)).toHaveProperty(
    "kind",
    "accepted",
  );
  expect(await before.forwarded.mempool.find(hash)).toMatchObject({ hash });
  before.forwarded.stop(false);
  const locate = () => ({ blockNumber: 3, index: 0 });
  const behind = await world("my-key", taking(hash), { locate });
  expect(await behind.forwarded.submit.submit(transaction, CLIENT)).toHaveProperty(
    "kind",
    "accepted",
  );
  expect(await behind.forwarded.mempool.find(hash)).toBeUndefined();
  behind.forwarded.stop(false);
});

test("sends nothing after stop", async () => {
  const { asked, forwarded } = await world("my-key");
  forwarded.stop(false);
  const ended = await forwarded.submit
    .submit(emptyInvoke(1n, 0n), CLIENT)
    .then(({ kind }) => kind, String);
  expect([ended === "accepted", asked.length]).toEqual([false, 0]);
});

test("asks the client to retry once the node produces blocks itself", async () => {
  const { asked, forwarded } = await world("my-key");
  forwarded.stop(true);
  const answer = await forwarded.submit.submit(emptyInvoke(1n, 0n), CLIENT);
  expect(answer).toMatchObject({ kind: "rejected", retryAfterSeconds: 2 });
  expect(asked).toEqual([]);
});

/** A gateway that receives a request immediately and responds on demand. */
async function slowWorld() {
  const { promise: answered, resolve: answer } = Promise.withResolvers<Response>();
  const timer = new FakeTimer();
  const { asked, forwarded } = await world("my-key", () => answered, {}, timer);
  const sent = forwarded.submit.submit(emptyInvoke(1n, 0n), CLIENT);
  while (asked.length === 0) await Bun.sleep(1);
  return { forwarded, answer: () => answer(refusing()), sent, timer };
}

test("forwards the response to a request sent before stop, within the request grace period", async () => {
  const { forwarded, answer, sent, timer } = await slowWorld();
  forwarded.stop(false);
  timer.advance(REQUEST_GRACE_MS);
  answer();
  expect(await sent).toMatchObject({ kind: "rejected", code: "INVALID_TRANSACTION_NONCE" });
});

test("reports a request as undecided if the gateway does not respond in time after stop", async () => {
  const { forwarded, answer, sent, timer } = await slowWorld();
  forwarded.stop(false);
  timer.advance(2_000);
  expect(await sent).toMatchObject({ kind: "undecided" });
  answer();
});

test("rejects a key file without a key", async () => {
  expect(await world("two words").then(() => "fulfilled", String)).toContain("expected the key");
});

test("a standby forwards submissions to the current leader and reports when there is no leader", async () => {
  const transaction = emptyInvoke(1n, 0n);
  const { config } = await loadChainConfig({ preset: "devnet", role: "full" });
  const hash = transactionHash(transaction, chainIdFelt(config));
  const [first, second] = [gatewayServer(refusing), gatewayServer(taking(hash))];
  let leader: ReturnType<LeaderAddress>;
  const { submit, mempool, stop } = forwardToLeader(
    () => leader,
    { gatewayKeyFile: null },
    {
      setup: { config },
      view: ChainView.ofStored(
        numberedChain(3, () => nonceState()),
        SYSTEM_TIMER,
      ),
      metrics: createNodeMetrics(),
      onForwarded: () => undefined,
      timer: SYSTEM_TIMER,
    },
  );
  const nobody = {
    kind: "undecided",
    lost: "unsent",
    reason: expect.stringMatching(/no sequencer leads/),
  };
  expect(await submit.submit(transaction, CLIENT)).toMatchObject(nobody);
  expect(await mempool.find(hash)).toBeUndefined();
  leader = first.urls;
  expect(await submit.submit(transaction, CLIENT)).toMatchObject({
    code: "INVALID_TRANSACTION_NONCE",
  });
  leader = second.urls;
  expect(await submit.submit(transaction, CLIENT)).toMatchObject({ kind: "accepted" });
  expect(await mempool.find(hash)).toMatchObject({ hash });
  leader = undefined;
  expect(await submit.submit(transaction, CLIENT)).toMatchObject(nobody);
  leader = { feeder: "http://127.0.0.1:1/feeder_gateway", gateway: "http://127.0.0.1:1/gateway" };
  const away = /cannot be reached/;
  expect(await submit.submit(transaction, CLIENT)).toMatchObject({
    kind: "undecided",
    lost: "unsent",
    reason: expect.stringMatching(away),
  });
  expect([first.asked.length, second.asked.length]).toEqual([1, 1]);
  stop(false);
});

test("a submission in flight to a leader that hangs ends once another node leads", async () => {
  const transaction = emptyInvoke(1n, 0n);
  const { config } = await loadChainConfig({ preset: "devnet", role: "full" });
  const hung = gatewayServer(() => new Promise<Response>(() => undefined));
  const next = gatewayServer(refusing);
  let leader = hung.urls;
  const timer = new FakeTimer();
  const { submit, stop } = forwardToLeader(
    () => leader,
    { gatewayKeyFile: null },
    {
      setup: { config },
      view: ChainView.ofStored(
        numberedChain(3, () => nonceState()),
        SYSTEM_TIMER,
      ),
      metrics: createNodeMetrics(),
      onForwarded: () => undefined,
      timer,
    },
  );
  const sent = submit.submit(transaction, CLIENT);
  while (hung.asked.length === 0) await Bun.sleep(1);
  timer.advance(1_000);
  leader = next.urls;
  timer.advance(1_000);
  expect(await sent).toMatchObject({ kind: "undecided", lost: "unanswered" });
  expect(next.asked).toEqual([]);
  stop(false);
});
