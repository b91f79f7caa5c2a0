import { describe, expect, test } from "bun:test";
import type { ForkBlock } from "#app/options/index.ts";
import { run, startedWith } from "./run.ts";

const URL = "https://user:secret@node.example/rpc/key?token=abc";
const DEVNET = ["sequencer", "--preset", "devnet"];
const FORK = [...DEVNET, "--fork-url", URL];

describe("a fork", () => {
  test("is off without a URL", async () => {
    expect((await startedWith(DEVNET)).fork).toBeNull();
  });

  test("takes its settings from the options, with their defaults", async () => {
    expect((await startedWith(FORK)).fork).toEqual({
      urls: [URL],
      block: null,
      headers: [],
      timeoutMs: 10_000,
      concurrency: 8,
      maxLimitedBytes: 256 * 2 ** 20,
      transaction: null,
      changedFields: new Set(),
    });
    const { fork } = await startedWith([
      ...FORK,
      ...["--fork-url", "http://127.0.0.1:5050", "--fork-header", "X-Key=a=b, c"],
      ...["--fork-header", "Accept-Language=en", "--fork-timeout", "3s"],
      ...["--fork-concurrency", "2", "--fork-transaction", "0x12"],
      ...["--fork-cache-limit", "3"],
    ]);
    expect(fork).toMatchObject({
      urls: [URL, "http://127.0.0.1:5050"],
      headers: [
        { name: "X-Key", value: "a=b, c" },
        { name: "Accept-Language", value: "en" },
      ],
      timeoutMs: 3_000,
      concurrency: 2,
      transaction: 0x12n,
    });
  });

  test("takes URLs and headers from the environment", async () => {
    const { fork } = await startedWith(DEVNET, {
      APPCHAIN_FORK_URL: "http://a.example, http://b.example",
      APPCHAIN_FORK_HEADER: "X-Key=one,two\nX-Other=three",
    });
    expect(fork).toMatchObject({
      urls: ["http://a.example", "http://b.example"],
      headers: [
        { name: "X-Key", value: "one,two" },
        { name: "X-Other", value: "three" },
      ],
    });
  });

  test.each<[string, ForkBlock | null]>([
    ["latest", null],
    ["17", { kind: "number", number: 17 }],
    ["0x17", { kind: "hash", hash: 0x17n }],
  ])("continues the block %s", async (text, block) => {
    const { fork } = await startedWith([...FORK, "--fork-block", text]);
    expect(fork?.block).toEqual(block);
  });

  test("accepts starknet-devnet's name of the URL", async () => {
    const { fork } = await startedWith([...DEVNET, "--fork-network", "http://a.example"]);
    expect(fork?.urls).toEqual(["http://a.example"]);
  });

  test("has a data directory for each origin", async () => {
    expect((await startedWith(FORK)).basePath).toEndWith("appchain-data/fork-node.example");
    const local = await startedWith([...DEVNET, "--fork-url", "http://[::1]:5050/rpc"]);
    expect(local.basePath).toEndWith("appchain-data/fork-1-5050");
  });

  test("knows the fields of the chain configuration that options set", async () => {
    const { fork } = await startedWith([...FORK, "--chain-id", "MINE"]);
    expect(fork?.changedFields).toEqual(new Set(["chain_id"]));
  });
});

describe("an invalid fork is refused:", () => {
  test.each<[string, readonly string[], string]>([
    ["a URL of another kind", [...DEVNET, "--fork-url", "ws://a.example"], "--fork-url: expected"],
    ["the same URL twice", [...FORK, "--fork-url", URL], "--fork-url: expected"],
    ["an invalid block", [...FORK, "--fork-block", "-1"], "--fork-block: expected"],
    ["a hash above the field", [...FORK, "--fork-block", `0x${"f".repeat(64)}`], "--fork-block"],
    ["a header without a name", [...FORK, "--fork-header", "=x"], "--fork-header: expected"],
    ["no time", [...FORK, "--fork-timeout", "0s"], "--fork-timeout: expected"],
    ["no request in flight", [...FORK, "--fork-concurrency", "0"], "--fork-concurrency: expected"],
    ["a block without a URL", [...DEVNET, "--fork-block", "5"], "no effect without --fork-url"],
    [
      "a preset of a public network",
      ["sequencer", "--preset", "sepolia", "--fork-url", URL],
      "only with --preset devnet",
    ],
    [
      "two names of the URL",
      [...FORK, "--fork-network", "http://b.example"],
      "cannot be combined with --fork-url",
    ],
    [
      "a transaction and a block",
      [...FORK, "--fork-transaction", "0x1", "--fork-block", "5"],
      "cannot be combined with --fork-block",
    ],
    [
      "classes for existing contracts",
      [...FORK, "--system-classes", "."],
      "cannot be combined with --fork-url",
    ],
  ])("%s", async (_, argv, text) => {
    const { code, err, started } = await run(argv);
    expect([code, started.length]).toEqual([2, 0]);
    expect(err).toContain(text);
  });

  test.each<[string, readonly string[]]>([
    ["--gateway-port", [...FORK, "--gateway-port", "0"]],
    [
      "--publish-gate",
      [...FORK, "--publish-gate", "s3://bucket/p?endpoint=http://a.example&region=r"],
    ],
    ["--l1-endpoint", [...FORK, "--l1-endpoint", "http://l1.example"]],
  ])("%s, because roots cover local changes alone", async (flag, argv) => {
    const { code, err } = await run(argv);
    expect(code).toBe(2);
    expect(err).toContain(
      `${flag}: cannot be combined with --fork-url: state roots of a fork cover its local changes alone`,
    );
  });

  test("a full node, because it verifies roots", async () => {
    const { code, err } = await run(["node", "--preset", "devnet", "--fork-url", URL]);
    expect(code).toBe(2);
    expect(err).toContain("--fork-url: requires the sequencer: a full node verifies state roots");
  });

  test("without secrets in the message", async () => {
    for (const argv of [
      [...FORK, "--fork-url", URL],
      [...FORK, "--fork-header", "secret"],
      [...FORK, "--fork-header", "X Key=secret"],
      [...FORK, "--gateway-port", "0"],
    ]) {
      const { code, out, err } = await run(argv);
      expect(code).toBe(2);
      expect(out + err).not.toMatch(/secret|abc/);
    }
  });
});
