import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { chainConfigYaml, loadChainConfig } from "#protocol/config/index.ts";
import { STEPS_CONFIG, configOf, configIssuesOf } from "#test/helpers/chain-config.ts";

const U64_MAX = 18446744073709551615n;

describe("a configuration with limits in steps", () => {
  test("is read field by field", async () => {
    const config = await configOf(STEPS_CONFIG);
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

  test("keeps the maximum of unsigned 64 bits exact", async () => {
    const { capacity } = (await configOf(STEPS_CONFIG)).bouncer;
    expect(Object.values(capacity.builtins)).toEqual(new Array(10).fill(U64_MAX));
    expect(capacity.messageSegmentLength).toBe(U64_MAX);
    expect([capacity.l1Gas, capacity.steps, capacity.stateDiffSize]).toEqual([
      5_000_000n,
      40_000_000n,
      131_072n,
    ]);
  });

  test("has no limits that its shape does not name", async () => {
    const { capacity, shape } = (await configOf(STEPS_CONFIG)).bouncer;
    expect([shape, capacity.sierraGas, capacity.transactions]).toEqual(["steps", U64_MAX, U64_MAX]);
  });
});

describe("a configuration with limits in Sierra gas", () => {
  const current = STEPS_CONFIG.replace(
    /bouncer_config:[\s\S]*?sequencer_address/,
    "bouncer_config:\n  block_max_capacity:\n    sierra_gas: 7\n    n_txs: 3\n  builtin_weights:\n    gas_costs: {pedersen: 9}\nsequencer_address",
  );

  test("is read with defaults for missing fields", async () => {
    const { shape, capacity, builtinWeights } = (await configOf(current)).bouncer;
    expect([shape, capacity.sierraGas, capacity.transactions, capacity.l1Gas]).toEqual([
      "sierra_gas",
      7n,
      3n,
      2_500_000n,
    ]);
    expect([builtinWeights.pedersen, builtinWeights.ecdsa]).toEqual([9n, 2_000_000n]);
    expect([capacity.steps, capacity.builtins.keccak]).toEqual([U64_MAX, U64_MAX]);
  });
});

describe("overrides", () => {
  test("replace plain and nested fields and keep hex exact", async () => {
    const config = await configOf(
      STEPS_CONFIG,
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

describe("sequencer address 0x0", () => {
  const zero = STEPS_CONFIG.replace("0x1234", "0x0");

  test("is replaced in sequencer mode, with a notice", async () => {
    const { config, notices } = await loadChainConfig({ text: zero, role: "sequencer" });
    expect(config.sequencerAddress).toBe(0x617070636861696en);
    expect(notices.map(({ code }) => code)).toEqual(["SEQUENCER_ADDRESS_REPLACED"]);
  });

  test("is kept on a full node", async () => {
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

  test("is read with absolute file paths", async () => {
    const config = (await configOf(STEPS_CONFIG + genesis)).genesis;
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

  test("rejects a contract of an unknown class", async () => {
    const issues = await configIssuesOf(
      STEPS_CONFIG + genesis.replace("class: token", "class: tokn"),
    );
    expect(issues.map(({ path }) => path)).toEqual(["genesis.contracts.0x10.class"]);
  });
});

describe("chainConfigYaml", () => {
  test("writes YAML that loads to the same values", async () => {
    const config = await configOf(
      `${STEPS_CONFIG}genesis:\n  classes: [{name: t, builtin: erc20}]\n  contracts: {0x1: {class: t}}\n`,
      "mempool_ttl=null,l2_gas_price={type: fixed, price: 7}",
    );
    expect(await configOf(await chainConfigYaml(config))).toEqual(config);
  });
});
