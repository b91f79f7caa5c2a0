import type { ChainConfig } from "./chain-config.ts";
import type { ConfigNotice } from "./source.ts";

/** Chain ids of a public network and of its L1; {@link publicCoreContract} finds them by contract address. */
export interface PublicCoreContract {
  /** Chain id of the network. */
  readonly network: string;
  /** Chain id of the L1 that holds the core contract. */
  readonly l1ChainId: number;
}

/** Chain ids of Ethereum and of its test network Sepolia (EIP-155; chainlist.org). */
const ETHEREUM = 1;
const SEPOLIA = 11_155_111;

/**
 * Core contracts of the public networks (docs.starknet.io, "Important addresses"; the presets hold the same).
 */
const PUBLIC_CORE_CONTRACTS: ReadonlyMap<bigint, PublicCoreContract> = new Map([
  [0xc662c410c0ecf747543f5ba90660f6abebd9c8c4n, { network: "SN_MAIN", l1ChainId: ETHEREUM }],
  [0xe2bb56ee936fd6433dc0f6e7e3b8365c906aa057n, { network: "SN_SEPOLIA", l1ChainId: SEPOLIA }],
  [
    0x4737c0c1b4d5b1a687b42610ddabee781152359cn,
    { network: "SN_INTEGRATION_SEPOLIA", l1ChainId: SEPOLIA },
  ],
]);

/** Returns the public network whose core contract has this address; `undefined` for any other contract. */
export function publicCoreContract(address: bigint): PublicCoreContract | undefined {
  return PUBLIC_CORE_CONTRACTS.get(address);
}

/**
 * Warns about a chain that names a public network's core contract but has another chain id: Pathfinder
 * identifies networks by the response to `get_contract_addresses`, regardless of its other settings.
 *
 * @returns `undefined` when there is no conflict
 */
export function coreContractNotice({
  ethCoreContractAddress: address,
  chainId,
}: Pick<ChainConfig, "ethCoreContractAddress" | "chainId">): ConfigNotice | undefined {
  const network = publicCoreContract(address)?.network;
  if (network === undefined || network === chainId) return undefined;
  return {
    code: "PUBLIC_CORE_CONTRACT",
    message:
      `eth_core_contract_address is the core contract of ${network}, but the chain id is ${chainId}: ` +
      `Pathfinder takes this chain for ${network} and does not follow it; name a core contract of your own, or 0x0`,
  };
}
