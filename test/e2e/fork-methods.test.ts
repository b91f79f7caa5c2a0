import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { createMethodTables, DEVNET_METHODS } from "#api/rpc/index.ts";
import { rawCall, resultOf, type RunningChain } from "#test/helpers/binary.ts";
import {
  type DevnetRequest,
  FILE_PARAMETERS,
  HOSTILE_VALUES,
  LOST_ORIGIN_REQUESTS,
} from "#test/helpers/fork/devnet-requests.ts";
import { ORIGIN_FAULTS } from "#test/helpers/fork/origin-faults.ts";
import { type OriginProxy, startOriginProxy } from "#test/helpers/fork/origin-proxy.ts";
import { refusedStart } from "#test/helpers/refused-start.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { NO_ESTIMATE, strkBalance, transferCall } from "#test/helpers/tokens.ts";
import { useChain, useStoppedChain } from "#test/helpers/use-chain.ts";

const [{ spec: newestSpec }] = createMethodTables();
const RECIPIENT = "0x1a57";
const KILLS = bySize({ quick: 1, full: 20 });

interface Block {
  readonly block_number: number;
  readonly block_hash: string;
  readonly parent_hash: string;
}

const newest = (chain: RunningChain): Promise<Block> =>
  resultOf(chain, "starknet_getBlockWithTxHashes", ["latest"]);

const blockOf = (chain: RunningChain, block_number: number): Promise<Block> =>
  resultOf(chain, "starknet_getBlockWithTxHashes", [{ block_number }]);

const moved = (chain: RunningChain, fork_block: unknown) =>
  resultOf(chain, "devnet_restart", { fork_block });

const origin = useChain();
let proxy: OriginProxy;
/** Part of the origin's URL that no response and no output may contain. */
const SECRET = "s3cr3t";
const args = (): readonly string[] => [
  ...["--fork-url", `${proxy.url.replace("://", `://user:${SECRET}@`)}/rpc?key=${SECRET}`],
  ...["--seed", "77", "--fork-timeout", "5s", "--dump-on", "request"],
];
const fork = useStoppedChain(() => ({
  args: [...args(), "--fork-block", "1"],
}));

/** Dump of the fork at block 2. */
let dumped: readonly { readonly id: unknown }[] = [];

beforeAll(async () => {
  proxy = await startOriginProxy(origin.url);
  for (let i = 0; i < 4; i++)
    await origin.account(0).execute(transferCall(RECIPIENT, 10n), NO_ESTIMATE);
  await fork.start();
}, 60_000);
afterEach(() => proxy.honest());
afterAll(() => proxy[Symbol.asyncDispose]());

/** Checks that a chain continues a block of the origin, with the state of that block alone. */
async function expectForkAt(chain: RunningChain, number: number): Promise<void> {
  const parent = await blockOf(origin, number);
  expect(await newest(chain)).toMatchObject({
    block_number: number + 1,
    parent_hash: parent.block_hash,
  });
  expect(await strkBalance(chain.provider, RECIPIENT)).toBe(10n * BigInt(number));
  const config = await resultOf(chain, "devnet_getConfig");
  expect(config).toMatchObject({ fork_config: { block_number: number } });
}

describe("devnet_restart with fork_block", () => {
  test("moves the fork forward by number and backward by hash, and requests wait for it", async () => {
    const { block_hash } = await blockOf(origin, 2);
    for (const [block, number] of [
      [3, 3],
      [block_hash, 2],
    ] as const) {
      await resultOf(fork, "devnet_mint", { address: RECIPIENT, amount: 1 });
      const move = moved(fork, block);
      const numbers: number[] = [];
      while (numbers.at(-1) !== number + 1) {
        numbers.push((await newest(fork)).block_number);
        await Bun.sleep(20);
      }
      expect(await move).toEqual({});
      await expectForkAt(fork, number);
    }
    await resultOf(fork, "devnet_mint", { address: RECIPIENT, amount: 5 });
    dumped = await resultOf<readonly { readonly id: unknown }[]>(fork, "devnet_dump");
    expect(dumped[0]?.id).toBe(`appchain:fork:2:${block_hash}:APPCHAIN_DEVNET`);
  }, 120_000);

  test("leaves the chain as it is when the block cannot be continued", async () => {
    const before = await newest(fork);
    const faults = [
      [99, undefined, "99"],
      ["0x123", undefined, "0x123"],
      [3, ORIGIN_FAULTS.html(502), proxy.name],
      [3, ORIGIN_FAULTS.down(), proxy.name],
      [3, ORIGIN_FAULTS.refuse(24, "Block not found"), proxy.name],
    ] as const;
    for (const [block, fault, named] of faults) {
      if (fault !== undefined) proxy.add(fault);
      const { error } = await rawCall(fork.url, "devnet_restart", { fork_block: block });
      proxy.honest();
      expect(JSON.stringify(error)).toContain(named);
      expect(await newest(fork)).toEqual(before);
      expect(await strkBalance(fork.provider, RECIPIENT)).toBe(25n);
    }
    const left = readdirSync(fork.folder.path).filter((name) => name.startsWith("fork-move"));
    expect(left).toEqual([]);
    const plain = await rawCall(origin.url, "devnet_restart", { fork_block: 0 });
    expect(plain.error).toMatchObject({ message: expect.stringContaining("no fork") as string });
  }, 60_000);

  test("moves to the latest block, and ends WebSocket connections after its response", async () => {
    const socket = new WebSocket(`${fork.url.replace("http", "ws")}/ws`);
    const events: string[] = [];
    const closed = new Promise<void>((resolve) => {
      socket.onmessage = ({ data }) => void events.push(String(data));
      socket.onclose = ({ code }) => {
        events.push(String(code));
        resolve();
      };
    });
    await new Promise((open) => (socket.onopen = open));
    const params = { fork_block: "latest" };
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: 5, method: "devnet_restart", params }));
    await closed;
    expect(events).toEqual([JSON.stringify({ jsonrpc: "2.0", id: 5, result: {} }), "1001"]);
    await expectForkAt(fork, 4);
  }, 30_000);

  test("refuses the dump of the fork at another block", async () => {
    const { error } = await rawCall(fork.url, "devnet_load", { dump: dumped });
    const [former, present] = [await blockOf(origin, 2), await blockOf(origin, 4)];
    expect(error?.message).toContain(`a fork of block 2 (${former.block_hash})`);
    expect(error?.message).toContain(`block 4 (${present.block_hash})`);
    await expectForkAt(fork, 4);
  });

  test("is kept by later starts, which refuse the former block", async () => {
    await fork.stop();
    const { code, output } = await refusedStart(fork.folder.path, {
      args: [...args(), "--fork-block", "1"],
    });
    expect(code).not.toBe(0);
    expect(output).toContain("the chain continues block 4");
    await fork.start({ args: args() });
    await expectForkAt(fork, 4);
  }, 60_000);
});

describe("while the origin is lost", () => {
  const answerOf = async ({ method, params }: DevnetRequest) => {
    const answer = await rawCall(fork.url, method, params);
    expect(JSON.stringify(answer)).not.toContain(SECRET);
    return answer;
  };
  const content = async () => [await newest(fork), await resultOf(fork, "txpool_content")];
  const requestsOf = (by: DevnetRequest["answeredBy"]) =>
    LOST_ORIGIN_REQUESTS.filter(({ answeredBy }) => answeredBy === by);
  const methods = DEVNET_METHODS.map(({ name }) => name);

  test("each developer method answers, or fails with the origin's name and no effect", async () => {
    const tested = new Set(LOST_ORIGIN_REQUESTS.map(({ method }) => method));
    expect([...tested].sort()).toEqual([...methods].sort());
    proxy.add(ORIGIN_FAULTS.down());
    const before = await content();
    const lost = await Promise.all(requestsOf("origin").map(answerOf));
    for (const { error } of lost) {
      expect(error).toMatchObject({
        code: -32603,
        data: expect.stringContaining(proxy.name) as string,
      });
    }
    for (const request of requestsOf("refused"))
      expect((await answerOf(request)).error).toBeDefined();
    expect(await content()).toEqual(before);
    for (const request of requestsOf("here")) {
      const { error } = await answerOf(request);
      expect([request.method, error]).toEqual([request.method, undefined]);
    }
    expect(await content()).toEqual(before);
  }, 60_000);

  test("no value of a parameter is an internal error, or stops the node", async () => {
    proxy.add(ORIGIN_FAULTS.down());
    for (const method of DEVNET_METHODS) {
      const { name } = method;
      const params = method
        .bind(newestSpec)
        .params.map(({ name: parameter }) => parameter)
        .filter((parameter) => !FILE_PARAMETERS.has(parameter));
      const calls = params.flatMap((parameter) =>
        HOSTILE_VALUES.map((value) => ({ [parameter]: value })),
      );
      const bodies = calls.map((each, id) => ({
        ...{ jsonrpc: "2.0", id, method: name, params: each },
      }));
      if (bodies.length === 0) continue;
      const response = await fetch(fork.url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(bodies),
      });
      const answers = (await response.json()) as readonly {
        readonly error?: { readonly code: number; readonly data?: unknown };
      }[];
      expect(answers).toHaveLength(bodies.length);
      const internal = answers.filter(
        ({ error }) => error?.code === -32603 && !JSON.stringify(error).includes(proxy.name),
      );
      expect({ name, internal }).toEqual({ name, internal: [] });
    }
    expect(fork.output()).not.toMatch(new RegExp(`ERROR|${SECRET}`));
    // Some of the values are no faults.
    await resultOf(fork, "devnet_restart");
  }, 60_000);
});

describe("a kill", () => {
  test(
    `during a move continues one of both chains, ${KILLS} times`,
    async () => {
      for (let i = 0; i < KILLS; i++) {
        const to = i % 2 === 0 ? 3 : 1;
        const moving = rawCall(fork.url, "devnet_restart", { fork_block: to }).catch(() => null);
        await Bun.sleep((i * 137 + 400) % 1_300);
        await fork.stop("SIGKILL");
        await moving;
        await fork.start({ args: args() });
        const { block_number } = await newest(fork);
        expect([2, 4, 5]).toContain(block_number);
        await expectForkAt(fork, block_number - 1);
        const left = readdirSync(fork.folder.path).filter((name) => name.startsWith("fork-move"));
        expect(left).toEqual([]);
      }
    },
    60_000 + KILLS * 10_000,
  );
});
