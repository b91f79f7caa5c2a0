import { producerSettings } from "#app/node/setup/setup.ts";
import { loadChainConfig } from "#protocol/config/index.ts";
import { BUILT_IN_CONSTANTS } from "#protocol/versions/index.ts";
import { ORDINARY_SETUP } from "./node-setup.ts";
import { transferBlock } from "./transfer-chain.ts";

/** Settings and context for blocks of scratch transfers under the rules of a version. */
export async function scratchSettings(protocolVersion: string) {
  const { config } = await loadChainConfig({ preset: "devnet", role: "sequencer" });
  const constants = BUILT_IN_CONSTANTS.at(protocolVersion);
  const block = transferBlock();
  const setup = { ...ORDINARY_SETUP, config, chargeFees: true } as unknown as Parameters<
    typeof producerSettings
  >[0];
  const { feeTokens, chainId } = block;
  return {
    settings: { ...producerSettings(setup), protocolVersion, constants, feeTokens, chainId },
    block: { ...block, info: { ...block.info, protocolVersion }, constants },
  };
}
