import { describe, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ChainConfig, chainConfigYaml, loadChainConfig } from "#protocol/config/index.ts";
import { ConfigError, type ConfigIssue } from "#base/errors/index.ts";

const U64_MAX = 18446744073709551615n;

/** The reference configuration of seed section 2.2. */
const SEED = `
chain_name: Test Chain
chain_id: TEST_CHAIN
native_fee_token_address: "0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d"
parent_fee_token_address: 0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7
eth_core_contract_address: "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512"
latest_protocol_version: "0.13.2"
block_time: "30s"
pending_block_update_time: 2s
execution_batch_size: 16
bouncer_config:
  block_max_capacity:
    builtin_count:
      add_mod: 18446744073709551615
      bitwise: 18446744073709551615
      ecdsa: 18446744073709551615
      ec_op: 18446744073709551615
      keccak: 18446744073709551615
      mul_mod: 18446744073709551615
      pedersen: 18446744073709551615
      poseidon: 18446744073709551615
      range_check: 18446744073709551615
      range_check96: 18446744073709551615
    gas: 5000000
    n_steps: 40000000
    message_segment_length: 18446744073709551615
    n_events: 18446744073709551615
    state_diff_size: 131072
sequencer_address: 0x1234
max_nonce_for_validation_skip: 2
`;

async function load(text: string, ...overrides: string[]): Promise<ChainConfig> {
  return (await loadChainConfig({ text, overrides, role: "sequencer" })).config;
}

async function issuesOf(text: string, ...overrides: string[]): Promise<readonly ConfigIssue[]> {
  try {
    await load(text, ...overrides);
  } catch (error) {
    if (error instanceof ConfigError) return error.issues;
    throw error;
  }
  return [];
}

const places = (issues: readonly ConfigIssue[]): string[] =>
  issues.map(({ path, line }) => `${line} ${path}`);

describe("the seed's configuration", () => {
  test("is read field by field", async () => {
    const config = await load(SEED);
    expect(config).toMatchObject({
      chainName: "Test Chain",
      chainId: "TEST_CHAIN",
      nativeFeeTokenAddress: 0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938dn,
      parentFeeTokenAddress: 0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7n,
      ethCoreContractAddress: 0xe7f1725e7734ce288f8367e1bb143e90bb3f0512n,
      latestProtocolVersion: "0.13.2",
      blockTimeMs: 30_000,
      pendingBlockUpdateTimeMs: 2000,
      executionBatchSize: 16,
      sequencerAddress: 0x1234n,
      maxNonceForValidationSkip: 2,
    });
  });

  test("keeps the unsigned 64-bit maximum exact", async () => {
    const { capacity } = (await load(SEED)).bouncer;
    expect(Object.values(capacity.builtins)).toEqual(new Array(10).fill(U64_MAX));
    expect(capacity.messageSegmentLength).toBe(U64_MAX);
    expect([capacity.l1Gas, capacity.steps, capacity.stateDiffSize]).toEqual([
      5_000_000n,
      40_000_000n,
      131_072n,
    ]);
  });

  test("limits nothing that its shape does not name", async () => {
    const { capacity, shape } = (await load(SEED)).bouncer;
    expect([shape, capacity.sierraGas, capacity.transactions]).toEqual(["seed", U64_MAX, U64_MAX]);
  });
});

describe("the current bouncer shape", () => {
  const current = SEED.replace(
    /bouncer_config:[\s\S]*?sequencer_address/,
    "bouncer_config:\n  block_max_capacity:\n    sierra_gas: 7\n    n_txs: 3\n  builtin_weights:\n    gas_costs: {pedersen: 9}\nsequencer_address",
  );

  test("is read, with its defaults for the rest", async () => {
    const { shape, capacity, builtinWeights } = (await load(current)).bouncer;
    expect([shape, capacity.sierraGas, capacity.transactions, capacity.l1Gas]).toEqual([
      "current",
      7n,
      3n,
      2_500_000n,
    ]);
    expect([builtinWeights.pedersen, builtinWeights.ecdsa]).toEqual([9n, 2_000_000n]);
    expect([capacity.steps, capacity.builtins.keccak]).toEqual([U64_MAX, U64_MAX]);
  });
});

describe("findings", () => {
  test("all of them are reported at once, with line and path", async () => {
    const issues = await issuesOf(`chain_name: X
chain_id: "${"x".repeat(32)}"
blok_time: 3s
native_fee_token_address: 0xzz
parent_fee_token_address: 0x1
sequencer_address: 0x1
block_time: 30
bouncer_config:
  block_max_capacity:
    gas: -1
    n_steps: 18446744073709551616
    state_diff_size: many
    builtin_count:
      pederson: 1
l2_gas_price:
  type: fixed
`);
    expect(places(issues)).toEqual([
      "2 chain_id",
      "3 blok_time",
      "4 native_fee_token_address",
      "7 block_time",
      "10 bouncer_config.block_max_capacity.gas",
      "11 bouncer_config.block_max_capacity.n_steps",
      "12 bouncer_config.block_max_capacity.state_diff_size",
      "14 bouncer_config.block_max_capacity.builtin_count.pederson",
      "16 l2_gas_price.price",
    ]);
  });

  test("an unknown field is named with the nearest known one", async () => {
    const [issue] = await issuesOf(`${SEED}blok_time: 3s\n`);
    expect(issue?.message).toBe("unknown field; did you mean block_time?");
  });

  test("a wrong value is told what was expected and what was found", async () => {
    const [issue] = await issuesOf(SEED.replace('"30s"', "30 seconds"));
    expect(issue?.message).toBe(
      'expected duration such as 500ms, 30s, 5min or 1h, above zero and at most 24h, got "30 seconds"',
    );
  });

  test("missing fields are reported", async () => {
    expect(places(await issuesOf("chain_name: X\nchain_id: Y\n"))).toEqual([
      "1 native_fee_token_address",
      "1 parent_fee_token_address",
      "1 sequencer_address",
    ]);
  });

  test("repeated keys and broken YAML are refused with their line", async () => {
    expect(places(await issuesOf(`${SEED}block_time: 3s\n`))).toEqual(["31 block_time"]);
    expect((await issuesOf("a: [1,\nb: {"))[0]?.line).toBeGreaterThan(0);
  });

  test("an empty file and a list are refused", async () => {
    expect(await issuesOf("")).toHaveLength(1);
    expect(await issuesOf("- a\n")).toHaveLength(1);
  });

  test("a pending update interval above the block time is refused, where it was given", async () => {
    expect(await issuesOf(SEED, "block_time=1s")).toEqual([
      {
        path: "block_time",
        line: 0,
        message:
          "expected a duration not below pending_block_update_time (2s) (from --chain-config-override)",
      },
    ]);
    expect(places(await issuesOf(SEED, "pending_block_update_time=31s"))).toEqual([
      "0 pending_block_update_time",
    ]);
    expect(places(await issuesOf(SEED.replace('"30s"', "1s")))).toEqual([
      "9 pending_block_update_time",
    ]);
  });

  test("a protocol version without constants is refused", async () => {
    expect(places(await issuesOf(SEED, "latest_protocol_version=0.15.0"))).toEqual([
      "0 latest_protocol_version",
    ]);
  });

  test("an unknown override is named, with the nearest field", async () => {
    const [issue] = await issuesOf(SEED, "bouncer_config.block_max_capacity.n_step=1");
    expect(issue).toEqual({
      path: "bouncer_config.block_max_capacity.n_step",
      line: 0,
      message: "unknown field; did you mean n_steps? (from --chain-config-override)",
    });
  });

  test("aliases that unfold without end are refused", async () => {
    let text = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
    for (let i = 1; i < 9; i++) {
      text += `a${i}: &a${i} [${new Array(10).fill(`*a${i - 1}`).join(",")}]\n`;
    }
    expect(await issuesOf(text)).toHaveLength(1);
  });
});

describe("overrides", () => {
  test("replace plain and inner fields, hex kept exact", async () => {
    const config = await load(
      SEED,
      "chain_id=MINE,block_time=5s",
      "sequencer_address=0x0123456789012345678901234567890123456789012345678901234567890123",
      "bouncer_config.block_max_capacity.n_steps=18446744073709551615",
    );
    expect([config.chainId, config.blockTimeMs]).toEqual(["MINE", 5000]);
    expect(config.sequencerAddress).toBe(
      0x0123456789012345678901234567890123456789012345678901234567890123n,
    );
    expect(config.bouncer.capacity.steps).toBe(U64_MAX);
  });
});

describe("the sequencer address", () => {
  const zero = SEED.replace("0x1234", "0x0");

  test("0x0 is replaced in sequencer mode, and that is reported", async () => {
    const { config, notices } = await loadChainConfig({ text: zero, role: "sequencer" });
    expect(config.sequencerAddress).toBe(0x617070636861696en);
    expect(notices.map(({ code }) => code)).toEqual(["SEQUENCER_ADDRESS_REPLACED"]);
  });

  test("0x0 stays on a full node", async () => {
    const { config, notices } = await loadChainConfig({ text: zero, role: "full" });
    expect([config.sequencerAddress, notices.length]).toEqual([0n, 0]);
  });
});

describe("the genesis section", () => {
  const genesis = `
genesis:
  classes:
    - {name: token, builtin: fee_token}
    - {name: mine, sierra: ./mine.sierra.json, casm: ./mine.casm.json}
  contracts:
    0x10: {class: token, nonce: 1, storage: {0x1: 0x2, "0x3": 4}}
    0x11: {class: 0xabc}
    0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d: {class: token}
  balances:
    - {address: 0x20, token: strk, amount: 115792089237316195423570985008687907853269984665640564039457584007913129639935}
`;

  test("is read, with file paths made absolute", async () => {
    const config = (await load(SEED + genesis)).genesis;
    expect(config?.classes).toEqual([
      { name: "token", source: { kind: "builtin", builtin: "fee_token" } },
      {
        name: "mine",
        source: {
          kind: "files",
          sierraPath: join(process.cwd(), "mine.sierra.json"),
          casmPath: join(process.cwd(), "mine.casm.json"),
        },
      },
    ]);
    expect(config?.contracts.get(0x10n)).toEqual({
      class: { kind: "name", name: "token" },
      nonce: 1n,
      storage: new Map([
        [1n, 2n],
        [3n, 4n],
      ]),
    });
    expect(config?.contracts.get(0x11n)?.class).toEqual({ kind: "hash", classHash: 0xabcn });
    expect(config?.balances).toEqual([
      { address: 0x20n, token: "strk", amount: (1n << 256n) - 1n },
    ]);
  });

  test("a contract of an unknown class is refused", async () => {
    const issues = await issuesOf(SEED + genesis.replace("class: token", "class: tokn"));
    expect(issues.map(({ path }) => path)).toEqual(["genesis.contracts.0x10.class"]);
  });
});

describe("sources", () => {
  test("sequencer mode without a configuration says so and lists the presets", () => {
    expect(loadChainConfig({ role: "sequencer" })).rejects.toThrow(
      /--chain-config-path.*--preset[\s\S]*mainnet, sepolia, integration, devnet, appchain/,
    );
  });

  test("an unknown preset is named with the nearest one", () => {
    expect(loadChainConfig({ preset: "mainet", role: "full" })).rejects.toThrow(
      /did you mean mainnet/,
    );
  });

  test("a missing file is a configuration error", () => {
    expect(loadChainConfig({ path: "/nowhere/x.yaml", role: "full" })).rejects.toThrow(ConfigError);
  });

  test("a file is found, and constants files are resolved against it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "appchain-config-"));
    writeFileSync(join(folder, "bad.json"), '{"gateway": {"max_calldata": 1}}');
    const path = join(folder, "chain.yaml");
    writeFileSync(path, `versioned_constants:\n  0.13.2: bad.json\n  0.13.3: none.json\n${SEED}`);
    const error = await loadChainConfig({ path, role: "full" }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConfigError);
    const messages = (error as ConfigError).issues.map((issue) => `${issue.line} ${issue.message}`);
    expect(messages[0]).toStartWith(`2 ${join(folder, "bad.json")}: gateway.max_calldata_length`);
    expect(messages[1]).toBe(`3 ${join(folder, "none.json")}: cannot be read (ENOENT)`);
  });
});

describe("writing a configuration", () => {
  test("gives YAML that loads to the same values", async () => {
    const config = await load(
      `${SEED}genesis:\n  classes: [{name: t, builtin: erc20}]\n  contracts: {0x1: {class: t}}\n`,
      "mempool_ttl=null,l2_gas_price={type: fixed, price: 7}",
    );
    expect(await load(await chainConfigYaml(config))).toEqual(config);
  });
});
