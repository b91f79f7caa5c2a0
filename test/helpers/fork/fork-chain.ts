import { Account } from "starknet";
import { resultOf, type RunningChain } from "../binary.ts";
import { NO_ESTIMATE, transferCall } from "../tokens.ts";

/** Recipient of transfers. */
export const RECIPIENT = "0x1a57";

/** Accounts of a fork: others than those of the forked network. */
export const FORK_SEED: readonly string[] = ["--seed", "77"];

/** Newest block of a chain. */
export interface NewestBlock {
  readonly block_number: number;
  readonly block_hash: string;
}

/** Returns the newest accepted block. */
export function newestBlock(chain: RunningChain): Promise<NewestBlock> {
  return resultOf(chain, "starknet_blockHashAndNumber");
}

/** Returns the hashes of the transactions of a block. */
export async function transactionsOf(
  chain: RunningChain,
  block_number: number,
): Promise<readonly bigint[]> {
  const traces = await resultOf<readonly { readonly transaction_hash: string }[]>(
    chain,
    "starknet_traceBlockTransactions",
    [{ block_number }],
  );
  return traces.map(({ transaction_hash }) => BigInt(transaction_hash));
}

/**
 * Sends a transfer for an impersonated account of the chain, without its key.
 *
 * @returns the transaction hash
 */
export async function transferAs(
  { provider }: RunningChain,
  address: string,
  nonce: number,
  amount: bigint,
): Promise<string> {
  const account = new Account({ provider, address, signer: "0xbad" });
  const call = transferCall(RECIPIENT, amount);
  const { transaction_hash } = await account.execute(call, { ...NO_ESTIMATE, nonce });
  return transaction_hash;
}
