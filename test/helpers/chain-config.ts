import { type ChainConfig, loadChainConfig } from "#protocol/config/index.ts";
import { ConfigError, type ConfigIssue } from "#base/errors/index.ts";

/** YAML text of a chain configuration whose block capacity is limited in steps. */
export const STEPS_CONFIG = `
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

/** The configuration that a sequencer reads from `text`. */
export async function configOf(text: string, ...overrides: string[]): Promise<ChainConfig> {
  return (await loadChainConfig({ text, overrides, role: "sequencer" })).config;
}

/** Issues of `text`; empty if it is valid. */
export async function configIssuesOf(
  text: string,
  ...overrides: string[]
): Promise<readonly ConfigIssue[]> {
  try {
    await configOf(text, ...overrides);
  } catch (error) {
    if (error instanceof ConfigError) return error.issues;
    throw error;
  }
  return [];
}
