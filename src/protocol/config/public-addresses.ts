import type { Felt } from "#base/primitives/index.ts";

/**
 * Addresses at which wallets and SDKs expect the fee tokens and the deployer contracts, as on the
 * public networks.
 */
export const PUBLIC_ADDRESSES = {
  /** STRK, the native fee token. Source: Starknet docs, "Important addresses". */
  nativeToken: 0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938dn,
  /** ETH, the parent fee token. Source: Starknet docs, "Important addresses". */
  ethToken: 0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7n,
  /** Universal deployer that starknet.js 7 and later call by default. */
  universalDeployer: 0x02ceed65a4bd731034c01113685c831b01c15d7d432f71afb1cf1634b53a2125n,
  /** Universal deployer of earlier tools. */
  legacyUniversalDeployer: 0x041a78e741e5af2fec34b695679bc6891742439f7afb8484ecd7766661ad02bfn,
} as const satisfies Readonly<Record<string, Felt>>;
