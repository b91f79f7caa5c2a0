import type { BlockContext } from "#engine/execution/index.ts";
import { type HashedTransaction, type InvokeV3, transactionHash } from "#protocol/chain/index.ts";
import { selectorFromName, sign } from "#protocol/crypto/index.ts";
import { SENDER, SENDER_KEY } from "./warm-up-state.ts";

/** Recipient of index 0; the addresses from it on are unused. */
const FIRST_RECIPIENT = 2n ** 200n;

/** Gas limit that a transfer does not reach. */
const GAS = 10n ** 9n;

/**
 * Creates a transfer of the fee token at the block's prices, signed by the account of `warmUpState`. Each
 * index has a distinct recipient.
 */
export function scratchTransfer(
  block: BlockContext,
  nonce: bigint,
  index: bigint,
): HashedTransaction<InvokeV3> {
  const { feeTokens, chainId, info } = block;
  const { l1Gas, l1DataGas, l2Gas } = info.gasPrices;
  const bound = (maxAmount: bigint, { fri }: { readonly fri: bigint }) => ({
    maxAmount,
    maxPricePerUnit: fri,
  });
  const unsigned: InvokeV3 = {
    type: "INVOKE",
    version: 3,
    resourceBounds: {
      l1Gas: bound(GAS, l1Gas),
      l2Gas: bound(GAS, l2Gas),
      l1DataGas: bound(GAS, l1DataGas),
    },
    tip: 0n,
    paymasterData: [],
    nonceDataAvailabilityMode: 0,
    feeDataAvailabilityMode: 0,
    accountDeploymentData: [],
    proofFacts: [],
    signature: [],
    nonce,
    senderAddress: SENDER,
    calldata: [
      1n,
      feeTokens.strk,
      selectorFromName("transfer"),
      3n,
      FIRST_RECIPIENT + index,
      1n,
      0n,
    ],
  };
  const hash = transactionHash(unsigned, chainId);
  const { r, s } = sign(SENDER_KEY, hash);
  return { hash, transaction: { ...unsigned, signature: [r, s] } };
}
