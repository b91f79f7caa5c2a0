import { CallData, type RpcProvider, uint256 } from "starknet";

/** Address of STRK on every network: the fee token of version 3 transactions. */
export const STRK = "0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d";

/** Address of ETH on every network: the fee token of older transactions. */
export const ETH = "0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7";

/** Number of the smallest units in one token of 18 decimals. */
export const ONE_TOKEN: bigint = 10n ** 18n;

/** A call that transfers `amount` fri of STRK, in the form of starknet.js. */
export function transferCall(recipient: string, amount: bigint) {
  return {
    contractAddress: STRK,
    entrypoint: "transfer",
    calldata: CallData.compile({ recipient, amount: uint256.bnToUint256(amount) }),
  };
}

/** STRK balance in fri at a block. */
export async function strkBalance(
  provider: RpcProvider,
  address: string,
  block: string | number = "latest",
): Promise<bigint> {
  const [low = "0", high = "0"] = await provider.callContract(
    { contractAddress: STRK, entrypoint: "balance_of", calldata: [address] },
    block as Parameters<RpcProvider["callContract"]>[1],
  );
  return BigInt(low) + (BigInt(high) << 128n);
}

/** Resource bounds that suffice for any transaction of these tests at development prices. */
export const AMPLE_BOUNDS = {
  l1_gas: { max_amount: 100_000n, max_price_per_unit: 1_000_000n },
  l1_data_gas: { max_amount: 100_000n, max_price_per_unit: 1_000_000n },
  l2_gas: { max_amount: 20_000_000n, max_price_per_unit: 1_000_000n },
} as const;

/** Options of `Account.execute` that skip the estimate. */
export const NO_ESTIMATE = { resourceBounds: AMPLE_BOUNDS, tip: 0n } as const;
