import { loadChainConfig } from "#protocol/config/index.ts";
import { ConfigError } from "#base/errors/index.ts";

/** A small valid configuration that further fields can be appended to. */
export const SMALL = `chain_name: Small
chain_id: SMALL
native_fee_token_address: "0x10"
parent_fee_token_address: "0x20"
sequencer_address: "0x30"
`;

/** Issues of a configuration as `line path: message`, or the error's own message. */
export async function findingsOf(text: string, ...overrides: string[]): Promise<readonly string[]> {
  try {
    await loadChainConfig({ text, overrides, role: "sequencer" });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    if (error.issues.length === 0) return [error.message];
    return error.issues.map(({ path, line, message }) => `${line} ${path}: ${message}`);
  }
  return [];
}
