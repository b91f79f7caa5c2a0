import type { CairoVm } from "#engine/cairo/index.ts";
import {
  type BlockContext,
  BlockExecutor,
  decodePrevalidated,
  encodePrevalidated,
  validateTransaction,
} from "#engine/execution/index.ts";
import { type HashedTransaction, type InvokeV3, transactionHash } from "#protocol/chain/index.ts";
import { selectorFromName, sign } from "#protocol/crypto/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { type IdleWork, inIdleTurns } from "./idle-turns.ts";
import { SENDER, SENDER_KEY, warmUpState } from "./warm-up-state.ts";

/** Recipients are this one and the next ones; there is none of them yet. */
const FIRST_RECIPIENT = 2n ** 200n;

/** Gas that a transfer does not use up. */
const GAS = 10n ** 9n;

/** Threads that start at the same time are not held up. */
const DELAY_MS = 100;

/**
 * Begins to make the first transactions of others as fast as the next ones: lets the runtime compile what
 * every transfer runs. To be stopped when there are any.
 *
 * @param count - transfers; 0: none are made
 */
export function warmUpTransfers(
  vm: CairoVm,
  count: number,
  blockOf: () => BlockContext,
  timer: Timer,
): IdleWork {
  let transfer: (() => boolean) | undefined;
  return inIdleTurns(count, DELAY_MS, timer, () =>
    (transfer ??= scratchTransfers(vm, blockOf()))(),
  );
}

/**
 * Transfers of a token, validated and executed over a state of their own, which is nowhere stored;
 * nothing of them is seen outside.
 *
 * @returns makes the next transfer, in some milliseconds; whether it was included
 */
export function scratchTransfers(vm: CairoVm, block: BlockContext): () => boolean {
  const executor = new BlockExecutor(vm, warmUpState(block.feeTokens), block);
  let nonce = 0n;
  return () => {
    const transfer = transferOf(block, nonce++);
    const validation = validateTransaction(vm, executor.reader(), block, transfer);
    if (validation.kind !== "valid" || validation.prevalidated === undefined) return false;
    const prevalidated = decodePrevalidated(
      encodePrevalidated(validation.prevalidated),
      transfer.transaction.calldata,
    );
    const outcome = executor.execute(transfer, {}, undefined, prevalidated);
    executor.takeDelta();
    return outcome.kind === "included" && outcome.info.revertReason === null;
  };
}

function transferOf(block: BlockContext, nonce: bigint): HashedTransaction<InvokeV3> {
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
      FIRST_RECIPIENT + nonce,
      1n,
      0n,
    ],
  };
  const hash = transactionHash(unsigned, chainId);
  const { r, s } = sign(SENDER_KEY, hash);
  return { hash, transaction: { ...unsigned, signature: [r, s] } };
}
