import { describe, expect, test } from "bun:test";
import type { StartedState } from "#app/node/storage/reports/node-rows.ts";
import { paintOf } from "#app/node/storage/reports/paint.ts";
import { startScreenLines } from "#app/node/storage/reports/start-screen.ts";
import type { NodeOptions } from "#app/node/setup/node-options.ts";
import { EMPTY_STATE_DIFF } from "#protocol/chain/index.ts";
import { stateOfDiffs } from "#test/helpers/fake-chain.ts";
import { DEVNET_OPTIONS, l1Options, nodeOptions } from "#test/helpers/node-options.ts";

const KEY = 2n ** 251n - 1n;

/** Lines of the screen of a sequencer with `count` accounts. */
async function linesOf(
  changed: Partial<NodeOptions>,
  count = 1,
  fork: StartedState["fork"] = null,
): Promise<readonly string[]> {
  const options = await nodeOptions({ devnet: DEVNET_OPTIONS, ...changed });
  const accounts = Array.from({ length: count }, (_, i) => ({
    address: KEY - BigInt(i),
    privateKey: BigInt(i + 1),
    publicKey: 0n,
  }));
  const screen = {
    urls: { rpcUrl: "http://127.0.0.1:9944", metricsUrl: "http://127.0.0.1:9615/metrics" },
    started: {
      database: "/data/chain.db",
      nextBlock: 7,
      fork,
      l1Prices: { l1GasWei: 128n, l1DataGasWei: 129n },
    },
    contracts: { accountClass: null, universalDeployers: [] },
    accounts,
    state: stateOfDiffs([EMPTY_STATE_DIFF]),
    startMs: 400,
  };
  return startScreenLines(options, screen, paintOf(false));
}

const TEXT = { level: "info", format: "text" } as const;

describe("the start screen of a development chain", () => {
  test("has version, node, network, addresses, chain, accounts, keys and the ready line", async () => {
    const lines = await linesOf({
      log: TEXT,
      version: "1.2.3",
      commit: () => "0123abcd",
      name: "n",
      devnet: { ...DEVNET_OPTIONS, gasPrices: { l1Gas: {} } },
    });
    expect(lines).toEqual([
      "",
      "appchain 1.2.3 commit 0123abcd",
      "",
      "Node          n, sequencer",
      "Network       Appchain Devnet, protocol 0.14.4, preset devnet",
      "Database      /data/chain.db",
      "Blocks        production starts at block 7",
      "L1            not followed, gas 128 wei, data gas 129 wei",
      "JSON-RPC      http://127.0.0.1:9944",
      "Origins       localhost, 127.0.0.1 and [::1], any port",
      "Metrics       http://127.0.0.1:9615/metrics",
      "",
      "Chain id      APPCHAIN_DEVNET (0x415050434841494e5f4445564e4554)",
      "STRK token    0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d",
      "ETH token     0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7",
      "",
      "Funded accounts (everyone knows the keys: for development only)",
      `(0) 0x07${"f".repeat(62)} 0 STRK, 0 ETH`,
      "",
      "Private keys",
      `(0) 0x${"1".padStart(64, "0")}`,
      "",
      "Stop with Ctrl+C; the next start continues the chain.",
      "ready http://127.0.0.1:9944 in 400 ms",
    ]);
  });

  test("names origin and block of a fork", async () => {
    const fork = {
      origins: ["https://node.example:8443"],
      forkBlock: 1_234_567,
      blockHash: 0x1234_5678_9abcn,
      originChainId: "SN_MAIN",
    };
    const lines = await linesOf({ log: TEXT }, 1, fork);
    expect(lines).toContain(
      "Fork          https://node.example:8443 at block 1234567 (0x12345678…)",
    );
  });

  test("fits 100 columns, and names 20 of many accounts with aligned addresses", async () => {
    const lines = await linesOf({ log: TEXT }, 23);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(lines.filter((line) => /^\(\d+\) +0x07/.test(line))).toHaveLength(20);
    expect(lines.filter((line) => line.startsWith("(9)  0x"))).toHaveLength(2);
    expect(lines).toContain("and 3 more accounts: --config-out FILE writes all of them");
  });

  test("has no commit if the build knows none, and no accounts if the chain has none", async () => {
    const lines = await linesOf({ log: TEXT }, 0);
    expect(lines[1]).toBe("appchain 0.0.0");
    expect(lines.join("\n")).not.toMatch(/accounts|keys/);
  });

  test("reports an ephemeral chain, L1 endpoints, chosen origins and prices of options", async () => {
    const { rpc } = await nodeOptions({});
    const lines = await linesOf({
      log: TEXT,
      ephemeral: true,
      l1: l1Options("http://a", "http://b"),
      rpc: { ...rpc, cors: ["https://dapp.example"] },
      devnet: { ...DEVNET_OPTIONS, gasPrices: { l2Gas: { fri: 5n } } },
    });
    expect(lines).toContain("Database      /data/chain.db (deleted at the end)");
    expect(lines).toContain("L1            followed at 2 endpoints");
    expect(lines).toContain("Origins       https://dapp.example");
    expect(lines).toContain("Stop with Ctrl+C, which deletes the chain.");
  });

  test("escapes control characters of a configured name", async () => {
    const lines = await linesOf({ log: TEXT, name: "a\u001b[2J" });
    expect(lines[3]).toBe("Node          a\\u{1b}[2J, sequencer");
  });
});

test("the screen of another chain has no rows about the node, which its log lines have", async () => {
  const lines = await linesOf({ log: TEXT, devnet: null }, 0);
  expect(lines[1]).toStartWith("Chain id ");
  expect(lines.at(-1)).toBe("ready http://127.0.0.1:9944 in 400 ms");
  expect(lines.join("\n")).not.toMatch(/Node|Database|Ctrl/);
});
