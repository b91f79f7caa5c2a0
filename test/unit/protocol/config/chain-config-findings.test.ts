import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { loadChainConfig } from "#protocol/config/index.ts";
import { ConfigError, type ConfigIssue } from "#base/errors/index.ts";
import { STEPS_CONFIG, configIssuesOf } from "#test/helpers/chain-config.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const places = (issues: readonly ConfigIssue[]): string[] =>
  issues.map(({ path, line }) => `${line} ${path}`);

describe("configuration errors", () => {
  test("are all reported, with line and path", async () => {
    const issues = await configIssuesOf(`chain_name: X
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

  test("suggest the nearest name for an unknown field", async () => {
    const [issue] = await configIssuesOf(`${STEPS_CONFIG}blok_time: 3s\n`);
    expect(issue?.message).toBe("unknown field; did you mean block_time?");
  });

  test("state what was expected and what was found", async () => {
    const [issue] = await configIssuesOf(STEPS_CONFIG.replace('"30s"', "30 seconds"));
    expect(issue?.message).toBe(
      'expected duration such as 500ms, 30s, 5min or 1h, above zero and at most 24h, got "30 seconds"',
    );
  });

  test("list missing fields", async () => {
    expect(places(await configIssuesOf("chain_name: X\nchain_id: Y\n"))).toEqual([
      "1 native_fee_token_address",
      "1 parent_fee_token_address",
      "1 sequencer_address",
    ]);
  });

  test("include repeated keys and broken YAML, with their line", async () => {
    expect(places(await configIssuesOf(`${STEPS_CONFIG}block_time: 3s\n`))).toEqual([
      "31 block_time",
    ]);
    expect((await configIssuesOf("a: [1,\nb: {"))[0]?.line).toBeGreaterThan(0);
  });

  test("include an empty file and a list", async () => {
    expect(await configIssuesOf("")).toHaveLength(1);
    expect(await configIssuesOf("- a\n")).toHaveLength(1);
  });

  test("name the source of a pending update interval above the block time", async () => {
    expect(await configIssuesOf(STEPS_CONFIG, "block_time=1s")).toEqual([
      {
        path: "block_time",
        line: 0,
        message:
          "expected a duration not below pending_block_update_time (2s) (from --chain-config-override)",
      },
    ]);
    expect(places(await configIssuesOf(STEPS_CONFIG, "pending_block_update_time=31s"))).toEqual([
      "0 pending_block_update_time",
    ]);
    expect(places(await configIssuesOf(STEPS_CONFIG.replace('"30s"', "1s")))).toEqual([
      "9 pending_block_update_time",
    ]);
  });

  test("include a protocol version without constants", async () => {
    expect(places(await configIssuesOf(STEPS_CONFIG, "latest_protocol_version=0.15.0"))).toEqual([
      "0 latest_protocol_version",
    ]);
  });

  test("suggest the nearest field for an unknown override", async () => {
    const [issue] = await configIssuesOf(
      STEPS_CONFIG,
      "bouncer_config.block_max_capacity.n_step=1",
    );
    expect(issue).toEqual({
      path: "bouncer_config.block_max_capacity.n_step",
      line: 0,
      message: "unknown field; did you mean n_steps? (from --chain-config-override)",
    });
  });

  test("include exponentially expanding aliases", async () => {
    let text = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
    for (let i = 1; i < 9; i++) {
      text += `a${i}: &a${i} [${new Array(10).fill(`*a${i - 1}`).join(",")}]\n`;
    }
    expect(await configIssuesOf(text)).toHaveLength(1);
  });
});

describe("loadChainConfig", () => {
  test("requires a configuration in sequencer mode and lists the presets", () => {
    expect(loadChainConfig({ role: "sequencer" })).rejects.toThrow(
      /--chain-config-path.*--preset[\s\S]*mainnet, sepolia, integration, devnet, appchain/,
    );
  });

  test("suggests the nearest name for an unknown preset", () => {
    expect(loadChainConfig({ preset: "mainet", role: "full" })).rejects.toThrow(
      /did you mean mainnet/,
    );
  });

  test("reports a missing file as a configuration error", () => {
    expect(loadChainConfig({ path: "/nowhere/x.yaml", role: "full" })).rejects.toThrow(ConfigError);
  });

  test("reads a file and resolves constants files relative to it", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("bad.json"), '{"gateway": {"max_calldata": 1}}');
    const path = folder.file("chain.yaml");
    writeFileSync(
      path,
      `versioned_constants:\n  0.13.2: bad.json\n  0.13.3: none.json\n${STEPS_CONFIG}`,
    );
    const error = await loadChainConfig({ path, role: "full" }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConfigError);
    const messages = (error as ConfigError).issues.map((issue) => `${issue.line} ${issue.message}`);
    expect(messages[0]).toStartWith(`2 ${folder.file("bad.json")}: gateway.max_calldata_length`);
    expect(messages[1]).toBe(`3 ${folder.file("none.json")}: cannot be read (ENOENT)`);
  });
});
