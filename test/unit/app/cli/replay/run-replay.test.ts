import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type JsonValue, parseJson, stringifyJson } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { RpcRefusal } from "#io/client/index.ts";
import type { DeclareWorld } from "#test/helpers/declare-world.ts";
import { channelOf, replayStory, STORY, type Tamper } from "#test/helpers/replay-world.ts";
import { run } from "../run.ts";

let world: DeclareWorld;
let tamper: Tamper = (_, result) => result;
const honest = tamper;

interface Question {
  readonly method: string;
  readonly params: Readonly<Record<string, JsonValue>>;
}

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const asked = parseJson(await request.text()) as unknown as Question;
    const channel = channelOf(world, (...answer) => tamper(...answer));
    try {
      const result = await channel.call(asked.method, asked.params);
      return new Response(stringifyJson({ jsonrpc: "2.0", id: 1, result }));
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
      const { rpcCode: code, message } = error;
      return new Response(stringifyJson({ jsonrpc: "2.0", id: 1, error: { code, message } }));
    }
  },
});

beforeAll(async () => {
  world = await replayStory();
}, 60_000);
afterAll(async () => {
  await server.stop(true);
  await world[Symbol.asyncDispose]();
});

const replay = (...argv: readonly string[]) =>
  run(["replay", "--url", server.url.href, "--retries", "0", ...argv]);

describe("appchain replay", () => {
  test("prints hash and root of a block that agrees", async () => {
    // A block without transactions needs no class to be compiled.
    const { code, out, err } = await replay("--block", "4");
    const header = world.chain.header(4);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe(
      `block 4 agrees: 0 transactions, hash ${hexFromFelt(header?.hash ?? 0n)}, state root ${hexFromFelt(header?.newRoot ?? 0n)}`,
    );
  });

  test("replays a range with the genesis, and prints how many blocks agree", async () => {
    const { code, out } = await replay("--from", "0", "--to", "4", "--preset", "devnet");
    const lines = out.split("\n");
    expect([code, lines.length, lines.at(-1)]).toEqual([0, 6, "5 blocks agree"]);
    expect(lines[0]).toMatch(/^block 0 agrees: the genesis, which has no transactions/);
    expect(lines[1]).toMatch(/^block 1 agrees: 2 transactions/);
    expect(lines[4]).toMatch(/^block 4 agrees: 0 transactions/);
  });

  test("prints the first difference, stops there, and exits with 1", async () => {
    tamper = (method, result) => {
      if (method !== "starknet_getBlockWithReceipts") return result;
      const text = stringifyJson(result).replace(
        '"revert_reason":"',
        '"revert_reason":"ex\\u001b[2Jceeds\\n',
      );
      return parseJson(text);
    };
    const { code, out } = await replay("--from", "1", "--to", "4");
    tamper = honest;
    expect(code).toBe(1);
    const lines = out.split("\n");
    expect(lines[0]).toBe("block 1 differs: receipt.revert_reason");
    const hash = world.chain.transactionHashes(1)[1] ?? 0n;
    expect(lines[1]).toBe(`  transaction 1: ${hexFromFelt(hash)}`);
    expect(lines[2]).toStartWith("  ours:   ");
    expect(lines[3]).toStartWith("  theirs: ");
    // Control characters of the node are escaped.
    expect(lines[3]).toContain("ex\\u{1b}[2Jceeds\\n");
    expect(lines).toHaveLength(4);
  });

  test("exits with 3 if a class exceeds its compilation limit, which is no difference", async () => {
    const { code, out, err } = await replay("--block", "1", "--compiler-timeout", "1ms");
    expect([code, out]).toEqual([3, ""]);
    // Either processor time or wall time is exceeded first, depending on the machine.
    expect(err).toMatch(/^error: class 0x[0-9a-f]+: compiling took (?:more|longer) than 0\.0/);
  });

  test("replays without fees on request", async () => {
    const { code, out } = await replay("--block", String(STORY.transfers), "--no-charge-fee");
    expect([code, out.split("\n")[0]]).toEqual([1, "block 1 differs: receipt.actual_fee.amount"]);
  });

  test("prints the node's error for a missing block", async () => {
    const { code, err } = await replay("--block", "99");
    expect(code).toBe(1);
    expect(err).toMatch(/^error: starknet_getBlockWithReceipts was answered with error 24: /);
  });
});

describe("appchain replay refuses", () => {
  test.each([
    [[], "--block: is missing: set the block to replay"],
    [["--block", "1", "--to", "2"], "--block: cannot be combined with --from and --to"],
    [["--from", "1"], "--from, --to: must be set together"],
    [["--from", "3", "--to", "2"], "--from: must not be above --to (2)"],
    [["--block", "-1"], 'expected a block number, got "-1"'],
    [["--block", "1", "--proof-keys", "1"], "--proof-keys: expected a number from 2 to 10000"],
  ] as const)("%j", async (argv, said) => {
    const { code, err } = await replay(...argv);
    expect(code).toBe(2);
    expect(err).toContain(said);
  });

  test("a configuration of another chain", async () => {
    const { code, err } = await replay("--block", "1", "--preset", "mainnet");
    expect(code).toBe(2);
    expect(err).toBe(
      "error: the node's chain is APPCHAIN_DEVNET, but the configuration is for SN_MAIN",
    );
  });

  test("a chain without a preset", async () => {
    tamper = (method, result) => (method === "starknet_chainId" ? "0x1b41" : result);
    const { code, err } = await replay("--block", "1");
    tamper = honest;
    expect(code).toBe(2);
    expect(err).toContain(
      "the node's chain is ?A, for which there is no preset: set --chain-config-path",
    );
  });

  test("a node with another JSON-RPC version", async () => {
    tamper = (method, result) => (method === "starknet_specVersion" ? "0.8.1" : result);
    const { code, err } = await replay("--block", "1");
    tamper = honest;
    expect(code).toBe(1);
    expect(err).toContain("supports JSON-RPC 0.8.1; a replay needs 0.10: add its path");
  });
});
