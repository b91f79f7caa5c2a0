import { afterEach, expect, test } from "bun:test";
import { openGatewayListener } from "#api/gateway/index.ts";
import { LiveFeed } from "#api/rpc/index.ts";
import { serveGatewayOf } from "#app/node/gateway/serve-gateway.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { nodeOptions } from "#test/helpers/node-options.ts";
import { gatewayOptions } from "#test/helpers/options.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { newCache, unused } from "#test/helpers/serving.ts";
import { roomyBytes } from "#test/helpers/held-bytes.ts";

let opened = new AsyncDisposableStack();
afterEach(async () => {
  await opened.disposeAsync();
  opened = new AsyncDisposableStack();
});

const ADDRESS = {
  hostname: "127.0.0.1",
  port: 0,
  connections: { max: 10, maxPerAddress: Infinity },
  held: roomyBytes(),
};

async function open() {
  const listener = await openGatewayListener(ADDRESS);
  opened.defer(() => listener.stop(0, () => undefined));
  return listener;
}

const INVOKE = {
  type: "INVOKE_FUNCTION",
  version: "0x1",
  max_fee: "0x64",
  signature: [],
  nonce: "0x0",
  sender_address: "0xa",
  calldata: [],
};

test("a follower's gateway reports the readiness and leadership of its node", async () => {
  const listener = await open();
  const gateway = gatewayOptions();
  const options = await nodeOptions({});
  let leads = false;
  const following = { highestBlock: 99, isInSync: false, reason: "block 7 was refused" };
  const server = serveGatewayOf(listener, {
    options: { gateway },
    setup: { config: options.chain },
    view: { live: new LiveFeed(), answers: newCache() },
    publicKey: () => undefined,
    role: { following: () => following },
    leads: () => leads,
    context: sampleContext(),
    queryPool: unused("query pool"),
    gatewayObserver: { answered: () => undefined, internalError: () => undefined },
    log: createLogger({ level: "warn", format: "json", write: () => undefined }),
  });
  const ready = await fetch(`http://127.0.0.1:${listener.port}/ready`);
  expect(ready.status).toBe(503);
  expect(await ready.text()).toContain(following.reason);
  const leader = () => fetch(`http://127.0.0.1:${listener.port}/leader`);
  const told = await leader();
  expect([told.status, await told.text()]).toEqual([503, "This node does not produce blocks.\n"]);
  leads = true;
  expect((await leader()).status).toBe(200);
  await server.stop(100, () => undefined);
});

test("a gateway serves requests, announces received transactions and logs its address", async () => {
  const listener = await open();
  const url = `http://127.0.0.1:${listener.port}`;
  const starting = await fetch(`${url}/health`);
  expect([starting.status, starting.headers.get("retry-after")]).toEqual([503, "1"]);

  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const live = new LiveFeed();
  const announced: bigint[] = [];
  live.received = ({ hash }) => void announced.push(hash);
  const answered: unknown[] = [];
  const gateway = gatewayOptions({ rateLimit: { perSecond: 0.001, burst: 5 } });
  const options = await nodeOptions({});
  const server = serveGatewayOf(listener, {
    options: { gateway },
    setup: { config: options.chain },
    view: { live, answers: newCache() },
    publicKey: () => 0x1234n,
    role: { following: () => null },
    leads: () => true,
    context: sampleContext({
      submit: {
        submit: () => Promise.resolve({ kind: "accepted", transactionHash: 5n }),
        declare: () => Promise.reject(new TypeError("nothing is declared here")),
      },
    }),
    queryPool: unused("query pool"),
    gatewayObserver: {
      answered: (route, status) => void answered.push([route, status]),
      internalError: () => undefined,
    },
    log: createLogger({ level: "info", format: "json", write }),
  });
  expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
    `gateway at ${url}`,
  ]);
  expect(await (await fetch(`${url}/health`)).text()).toBe("OK");
  expect((await fetch(`${url}/ready`)).status).toBe(200);
  const sent = await fetch(`${url}/gateway/add_transaction`, {
    method: "POST",
    body: JSON.stringify(INVOKE),
  });
  expect([sent.status, announced]).toEqual([200, [5n]]);
  const feeder = `${url}/feeder_gateway`;
  expect(await (await fetch(`${feeder}/get_public_key`)).json()).toBe("0x1234");
  const { nativeFeeTokenAddress } = options.chain;
  expect(await (await fetch(`${feeder}/get_contract_addresses`)).json()).toMatchObject({
    strk_l2_token_address: hexFromFelt(nativeFeeTokenAddress),
  });
  expect((await fetch(`${url}/health`)).status).toBe(429);
  expect(answered).toEqual([
    ["/health", 200],
    ["/ready", 200],
    ["/gateway/add_transaction", 200],
    ["/feeder_gateway/get_public_key", 200],
    ["/feeder_gateway/get_contract_addresses", 200],
    ["/health", 429],
  ]);
  await server.stop(100, () => undefined);
  expect(await fetch(url).catch(() => "closed")).toBe("closed");
});
