import { L1Error, NodeError } from "#base/errors/index.ts";
import type { StartableL1Source } from "#io/l1/index.ts";
import { type ChainConfig, publicCoreContract } from "#protocol/config/index.ts";

/** Queries to L1 with which a start checks that it is the right L1. */
export type StartQueries = Pick<StartableL1Source, "chainId" | "hasCoreContract">;

/**
 * Checks that L1 is the one with the chain's core contract.
 *
 * @returns its chain id; or the error if L1 does not respond
 * @throws {NodeError} when it is another L1: retrying does not help
 */
export async function checkL1(
  source: StartQueries,
  { ethCoreContractAddress: address }: Pick<ChainConfig, "ethCoreContractAddress">,
): Promise<number | L1Error> {
  try {
    const chainId = await source.chainId();
    const known = publicCoreContract(address);
    if (known !== undefined && known.l1ChainId !== chainId) {
      throw new NodeError(
        "NODE_OTHER_L1_CHAIN",
        `eth_core_contract_address is that of ${known.network}, on L1 chain ${known.l1ChainId}, but --l1-endpoint is on chain ${chainId}: name an endpoint of that chain, or this chain's own core contract with --chain-config-override eth_core_contract_address=0x...`,
      );
    }
    if (address === 0n || !(await source.hasCoreContract())) throw noCoreContract(address, chainId);
    return chainId;
  } catch (error) {
    if (!(error instanceof L1Error)) throw error;
    if (error.retryable) return error;
    throw new NodeError("NODE_OTHER_L1_CHAIN", `--l1-endpoint: ${error.message}`, { cause: error });
  }
}

function noCoreContract(address: bigint, chainId: number): NodeError {
  return new NodeError(
    "NODE_NO_CORE_CONTRACT",
    "The L1 Core Contract could not be found. Check that the L2 chain matches the L1 RPC endpoint.\n" +
      `eth_core_contract_address is 0x${address.toString(16)}, the chain id of L1 ${chainId}; --chain-config-override eth_core_contract_address=0x... names another address`,
  );
}
