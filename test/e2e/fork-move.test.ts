import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { rawCall, resultOf, type RunningChain } from "#test/helpers/binary.ts";
import { ORIGIN_FAULTS } from "#test/helpers/fork/origin-faults.ts";
import { type OriginProxy, startOriginProxy } from "#test/helpers/fork/origin-proxy.ts";
import { refusedStart } from "#test/helpers/refused-start.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { NO_ESTIMATE, strkBalance, transferCall } from "#test/helpers/tokens.ts";
import { useChain, useStoppedChain } from "#test/helpers/use-chain.ts";

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
const args = (): readonly string[] => ["--fork-url", `${proxy.url}/rpc`, "--seed", "77"];
const fork = useStoppedChain(() => ({
  args: [...args(), "--fork-block", "1", "--dump-on", "request"],
}));

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
      while ((numbers.at(-1) ?? 0) !== number + 1) numbers.push((await newest(fork)).block_number);
      expect(await move).toEqual({});
      await expectForkAt(fork, number);
    }
    await resultOf(fork, "devnet_mint", { address: RECIPIENT, amount: 5 });
    const [first] = await resultOf<readonly { readonly id: unknown }[]>(fork, "devnet_dump");
    expect(first?.id).toBe(`appchain:fork:2:${block_hash}:APPCHAIN_DEVNET`);
  }, 60_000);

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

  test(
    `continues one of both chains after each of ${KILLS} kills during a move`,
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
