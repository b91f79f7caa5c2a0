import { type Hex, type L1Call, type SignedL1, waitFor } from "#app/bootstrap/index.ts";
import { BootstrapError } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { l2MessageHash } from "#protocol/chain/index.ts";
import { parseTransaction, toHex } from "viem";
import { type BridgedToken, heldOnL2 } from "./bridged-token.ts";
import { onceOnL1, tooLittle } from "./deposit.ts";
import type { TransferOutcome } from "./outcome.ts";
import type { Sides } from "./sides.ts";
import type { TransferFile } from "./transfer-file.ts";

/** Parameters of a withdrawal. */
export interface WithdrawalRequest {
  readonly token: BridgedToken;
  /** In the token's smallest unit. */
  readonly amount: bigint;
  readonly recipient: Hex;
}

const LOW_HALF = (1n << 128n) - 1n;

/**
 * Burns tokens on L2, waits until the block is settled on L1, and has L1 pay them out. Can be killed at any
 * time and run again. A payout that can no longer be executed is replaced by a new one.
 */
export async function withdraw(
  sides: Sides,
  file: TransferFile,
  { token, amount, recipient }: WithdrawalRequest,
  say: (line: string) => void,
): Promise<TransferOutcome> {
  if (file.isDone) return { kind: "done before" };
  const { l1, l2, l2Address, waiting, settings } = sides;
  const halves = [amount & LOW_HALF, amount >> 128n] as const;
  let burn = file.sent("burn");
  if (burn === undefined) {
    const held = await heldOnL2(sides, token, l2Address);
    if (held < amount) {
      throw tooLittle(hexFromFelt(l2Address), "L2", held, token);
    }
    const calldata = [BigInt(token.l1Token), BigInt(recipient), ...halves];
    const call = { address: token.l2Bridge, functionName: "initiate_token_withdraw", calldata };
    burn = file.keep("burn", await l2.sign(call));
  }
  await l2.include(burn);
  const { hash } = burn;
  say(`burned on L2: transaction ${hash}`);
  const block = await waitFor(waiting, settings.transactionWaitMs, () => l2.acceptedBlockOf(hash));
  if (block === undefined) {
    return { kind: "waits", reason: `transaction ${hash} is in no accepted block of L2 yet` };
  }
  const onCore = (functionName: string, args: readonly unknown[]): Promise<unknown> =>
    l1.read({ address: token.core, contract: "CoreContract", functionName, args });
  let settled: unknown;
  const isSettled = await waitFor(waiting, settings.crossChainWaitMs, async () => {
    settled = await onCore("stateBlockNumber", []);
    return typeof settled === "bigint" && settled >= BigInt(block) ? true : undefined;
  });
  if (isSettled !== true) {
    const reason = `it is in block ${block}, and L1 has the state of block ${String(settled)}: it is paid out once that block is settled`;
    return { kind: "waits", reason };
  }
  const message = l2MessageHash({
    fromAddress: token.l2Bridge,
    toAddress: BigInt(token.l1Bridge),
    payload: [0n, BigInt(recipient), BigInt(token.l1Token), ...halves],
  });
  const { l1Bridge: address, contract, l1Token } = token;
  const call: L1Call = {
    address,
    contract,
    functionName: "withdraw",
    args: [l1Token, amount, recipient],
  };
  const payout = file.sent("payout");
  const isPaid = payout !== undefined && (await l1.receipt(payout.hash, "withdraw"))?.isSuccess;
  if (isPaid !== true) {
    const left = await onCore("l2ToL1Messages", [toHex(message, { size: 32 })]);
    if (typeof left !== "bigint") {
      const text = `the core contract ${token.core} does not return a valid l2ToL1Messages`;
      throw new BootstrapError("BOOTSTRAP_NONSENSE", text);
    }
    if (left === 0n) {
      const reason = `the core contract has no message for it: another account has had it paid out to ${recipient}, or the node of ETH_RPC lags`;
      return { kind: "waits", reason };
    }
    // The core contract pays a message once, whichever payout is executed.
    if (payout !== undefined && (await isDead(sides, payout))) {
      file.keep("payout", await l1.sign(call, 0n));
    }
  }
  await onceOnL1(sides, file, "payout", call, 0n);
  file.finish();
  return { kind: "done" };
}

/** Whether a payout can no longer be executed: it failed on L1, or another transaction used its nonce. */
async function isDead({ l1 }: Sides, { hash, raw }: SignedL1): Promise<boolean> {
  // Read the nonce first, since that waits for transactions in flight: the payout may be one of them.
  const nextNonce = await l1.settledNonce();
  const receipt = await l1.receipt(hash, "withdraw");
  return receipt === undefined ? nonceOf(raw) < nextNonce : !receipt.isSuccess;
}

/** @returns -1 for bytes that are not a transaction, and so are never executed */
function nonceOf(raw: Hex): number {
  try {
    return parseTransaction(raw).nonce ?? 0;
  } catch {
    // An edited file may contain anything.
    return -1;
  }
}
