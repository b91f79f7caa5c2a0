import { hexFromFelt } from "#base/primitives/index.ts";
import { ASYNC_SUBMISSION, resultOf, type RunningChain, startChain } from "../binary.ts";
import { ON_DEMAND } from "../gateway-chain.ts";
import { signedTransfer } from "../load.ts";
import { post } from "../kill-load.ts";

/** Chain id of the development preset. */
export const ORIGIN_CHAIN = "APPCHAIN_DEVNET";

const FIRST_RECIPIENT = 0x9_0000n;

/** A transfer of an origin, whose values no other read needs. */
export interface SpreadTransfer {
  readonly recipient: string;
  /** Fri that the recipient has. */
  readonly amount: bigint;
  readonly hash: string;
  readonly block: number;
}

/** An origin whose blocks have one transfer each, to a new recipient. */
export interface SpreadOrigin {
  readonly chain: RunningChain;
  readonly forkBlock: number;
  readonly transfers: readonly SpreadTransfer[];
}

/** What distinguishes origins. */
export interface SpreadOptions {
  /** Seed of the accounts. */
  readonly seed: string;
  /** Fri of the first transfer; each next one has 1 fri more. */
  readonly firstAmount: number;
}

/**
 * Starts an origin with `count` transfers, so that many reads of a fork need values that none has
 * read before.
 */
export async function startSpreadOrigin(
  basePath: string,
  count: number,
  { seed, firstAmount }: SpreadOptions,
): Promise<SpreadOrigin> {
  const accounts = ["--dev-accounts", "2", "--dev-seed", seed];
  const chain = await startChain({
    basePath,
    args: [...ON_DEMAND, ...accounts],
    env: ASYNC_SUBMISSION,
  });
  const transfers: SpreadTransfer[] = [];
  for (let index = 0; index < count; index++) {
    const recipient = FIRST_RECIPIENT + BigInt(index);
    const amount = BigInt(firstAmount + index);
    const sent = signedTransfer(ORIGIN_CHAIN, chain.signer(0), BigInt(index), recipient, amount);
    await post(chain.url, sent.body);
    await resultOf(chain, "devnet_createBlock", {});
    transfers.push({
      recipient: hexFromFelt(recipient),
      amount,
      hash: hexFromFelt(sent.hash),
      block: index + 1,
    });
  }
  return { chain, transfers, forkBlock: count };
}
