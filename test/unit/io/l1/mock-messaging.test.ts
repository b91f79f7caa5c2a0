import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Hex, toHex } from "viem";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { L1_LIMITS, MockMessaging, type MockMessagingOptions } from "#io/l1/index.ts";
import { ANVIL_KEY, type RunningAnvil, startAnvil } from "#test/helpers/anvil.ts";
import { CORE_ABI } from "#test/helpers/l1-core-abi.ts";
import { stallBoundMs } from "#test/helpers/stall.ts";

const path = resolve(import.meta.dir, "../../../../contracts/l1/MockStarknetMessaging.json");
const { bytecode } = JSON.parse(readFileSync(path, "utf8")) as { bytecode: Hex };
const LIMITS = { ...L1_LIMITS, answerMs: 500, maxThrottleMs: 100 };

let anvil: RunningAnvil;
const ended = new AbortController();

function options(changes: Partial<MockMessagingOptions> = {}): MockMessagingOptions {
  return {
    url: anvil.url,
    address: undefined,
    privateKey: ANVIL_KEY,
    bytecode,
    timeoutMs: 5_000,
    limits: LIMITS,
    timer: SYSTEM_TIMER,
    signal: ended.signal,
    ...changes,
  };
}

const refusal = (changes: Partial<MockMessagingOptions>): Promise<unknown> =>
  MockMessaging.open(options(changes)).then(() => "opened", String);

async function sendToL2(address: bigint, payload: readonly bigint[]): Promise<void> {
  const hash = await anvil.client.writeContract({
    address: toHex(address, { size: 20 }),
    abi: CORE_ABI,
    functionName: "sendMessageToL2",
    args: [7n, 8n, payload],
    value: 9n,
  });
  await anvil.client.waitForTransactionReceipt({ hash });
}

beforeAll(async () => {
  anvil = await startAnvil();
});

afterAll(async () => {
  ended.abort();
  await anvil.stop();
});

describe("MockMessaging", () => {
  test("deploys to the address that starknet-devnet uses on a new Anvil", async () => {
    const messaging = await MockMessaging.open(options());
    // MESSAGING_L1_ADDRESS of starknet-devnet's tests.
    expect(messaging.address).toBe(0x5fbdb2315678afecb367f032d93f642f64180aa3n);
    const address = toHex(messaging.address, { size: 20 });
    const read = { address, abi: CORE_ABI, functionName: "messageCancellationDelay" } as const;
    expect(await anvil.client.readContract(read)).toBe(86_400n);
    expect(messaging.name).toBe(anvil.url);
  });

  test("opens a deployed contract, and rejects an address without code", async () => {
    const { address } = await MockMessaging.open(options());
    expect((await MockMessaging.open(options({ address }))).address).toBe(address);
    expect(await refusal({ address: 0xabn })).toContain(
      `The specified address (0x${"ab".padStart(40, "0")}) contains no contract`,
    );
  });

  test("take() returns new messages once and in order", async () => {
    const { address } = await MockMessaging.open(options());
    await sendToL2(address, [1n]);
    const messaging = await MockMessaging.open(options({ address }));
    expect(await messaging.take(10)).toEqual([]);
    await anvil.client.setAutomine(false);
    for (const word of [2n, 3n]) {
      const to = toHex(address, { size: 20 });
      const args = [7n, 8n, [word]] as const;
      await anvil.client.writeContract({
        address: to,
        abi: CORE_ABI,
        functionName: "sendMessageToL2",
        args,
        value: 9n,
        gas: 200_000n,
      });
    }
    await anvil.client.mine({ blocks: 1 });
    await anvil.client.setAutomine(true);
    await sendToL2(address, [2n ** 256n - 1n]);
    // Two messages of one block in two calls.
    const taken = [await messaging.take(1), await messaging.take(10), await messaging.take(10)];
    expect(taken.map((logs) => logs.map(({ payload }) => payload))).toEqual([
      [[2n]],
      [[3n], [2n ** 256n - 1n]],
      [],
    ]);
    expect(taken[0]?.[0]).toMatchObject({ toAddress: 7n, selector: 8n, nonce: 1n, feeWei: 9n });
  });

  test("send() delivers each message as often as it is sent", async () => {
    const messaging = await MockMessaging.open(options());
    const message = {
      fromAddress: 5n,
      toAddress: BigInt(anvil.client.account.address),
      payload: [1n],
    };
    const wide = { ...message, toAddress: 2n ** 250n };
    expect(await messaging.send([message, message, wide])).toEqual({ count: 3, error: undefined });
    const consume = () =>
      anvil.client.simulateContract({
        address: toHex(messaging.address, { size: 20 }),
        abi: CORE_ABI,
        functionName: "consumeMessageFromL2",
        args: [5n, [1n]],
      });
    for (let i = 0; i < 2; i++) {
      const { request } = await consume();
      await anvil.client.waitForTransactionReceipt({
        hash: await anvil.client.writeContract(request),
      });
    }
    expect(await consume().then(() => "taken", String)).toContain("INVALID_MESSAGE_TO_CONSUME");
    expect(await messaging.send([])).toEqual({ count: 0, error: undefined });
  });

  test("send() reports an incompatible contract and sends nothing", async () => {
    // Every call of this contract fails.
    const code = "0x6001600c60003960016000f3fe";
    const hash = await anvil.client.deployContract({ abi: [], bytecode: code });
    const { contractAddress } = await anvil.client.waitForTransactionReceipt({ hash });
    const messaging = await MockMessaging.open(options({ address: BigInt(contractAddress ?? 0) }));
    const message = { fromAddress: 5n, toAddress: 6n, payload: [] };
    const { count, error } = await messaging.send([message]);
    expect([count, error?.message]).toEqual([0, expect.stringContaining("eth_estimateGas")]);
  });

  test("send() counts transactions that are not mined in time as sent", async () => {
    const messaging = await MockMessaging.open(options({ timeoutMs: 300 }));
    await anvil.client.setAutomine(false);
    const message = { fromAddress: 5n, toAddress: 6n, payload: [] };
    const { count, error } = await messaging.send([message, message]);
    await anvil.client.setAutomine(true);
    await anvil.client.mine({ blocks: 1 });
    expect([count, error?.code]).toEqual([2, "L1_LATE"]);
  });
});

describe("MockMessaging facing other L1s", () => {
  test("requires a reload after L1 was reset", async () => {
    const other = await startAnvil();
    try {
      const messaging = await MockMessaging.open(options({ url: other.url }));
      const fresh = await other.client.snapshot();
      await other.client.mine({ blocks: 3 });
      expect(await messaging.take(1)).toEqual([]);
      await other.client.revert({ id: fresh });
      expect(await messaging.take(1).then(() => "taken", String)).toContain(
        "load the messaging contract again",
      );
      await other.client.mine({ blocks: 9, interval: 7 });
      expect(await messaging.take(1).then(() => "taken", String)).toContain(
        "load the messaging contract again",
      );
    } finally {
      await other.stop();
    }
    expect(await refusal({ url: other.url })).toContain("cannot reach");
  });

  test("refuses Ethereum's mainnet before sending anything", async () => {
    const mainnet = await startAnvil(["--chain-id", "1"]);
    try {
      expect(await refusal({ url: mainnet.url })).toContain("Ethereum's mainnet");
      expect(await mainnet.client.getBlockNumber()).toBe(0n);
    } finally {
      await mainnet.stop();
    }
  });

  test("hides keys in messages", async () => {
    const wrong = `0x${"f".repeat(64)}` as const;
    const told = await refusal({ privateKey: wrong });
    expect(told).toContain("private key");
    expect(told).not.toContain("ffff");
    const url = new URL(anvil.url);
    const reached = await refusal({
      url: `http://user:secretsecret@127.0.0.1:1/v3/0123456789abcdef`,
    });
    expect([reached, url.pathname]).toEqual([expect.not.stringMatching(/secret|0123456789/), "/"]);
  });
});

describe("MockMessaging bounds a hostile L1", () => {
  const servers: { stop: (force: boolean) => Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop(true)));
  });

  /** Serves `answer(method)` as results; the connection hangs on `undefined`. */
  function serve(answer: (method: string) => unknown): string {
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      idleTimeout: 30,
      async fetch(request) {
        const { method } = (await request.json()) as { method: string };
        const result = answer(method);
        if (result === undefined) await new Promise(() => undefined);
        return result instanceof Response
          ? result
          : Response.json({ jsonrpc: "2.0", id: 1, result });
      },
    });
    servers.push(server);
    return server.url.href;
  }

  test.each([
    ["that hangs", () => undefined],
    [
      "that hangs after its chain id",
      (method: string) => (method === "eth_chainId" ? "0x7a69" : undefined),
    ],
    ["that redirects", () => Response.redirect("http://127.0.0.1:1/", 307)],
    ["that responds with HTML", () => new Response("<html>")],
    ["that responds with invalid numbers", () => "0xzz"],
    ["that responds with null", () => null],
    ["that responds with objects", () => ({})],
    [
      "that responds endlessly",
      () =>
        new Response(
          new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1 << 20)) }),
        ),
    ],
  ] as const)("%s", async (_, answer) => {
    const url = serve(answer as (method: string) => unknown);
    const longestMs = stallBoundMs(10_000);
    const startMs = performance.now();
    const told = await MockMessaging.open(options({ url, timeoutMs: 1_000 })).then(
      () => "opened",
      (cause: unknown) => (cause instanceof Error ? cause.constructor.name : "thrown"),
    );
    expect(["EndpointFault", "L1Error"]).toContain(told);
    expect(performance.now() - startMs).toBeLessThan(longestMs);
  });

  test("that never mines a transaction", async () => {
    const url = serve((method) => {
      switch (method) {
        case "eth_chainId":
          return "0x7a69";
        case "eth_getTransactionReceipt":
          return null;
        case "eth_getBlockByNumber":
          return null;
        case "eth_sendRawTransaction":
          return `0x${"ab".repeat(32)}`;
        default:
          return "0x1";
      }
    });
    expect(await refusal({ url, timeoutMs: 500 })).toMatch(
      /L1Error|EndpointFault|on its way|cannot/,
    );
  });
});
