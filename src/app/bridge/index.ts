/** Moves a user's ETH and tokens between L1 and a chain set up by the bootstrap. */
export {
  amountText,
  bridgedToken,
  type BridgedToken,
  heldOnL2,
  type TokenName,
} from "./bridged-token.ts";
export { deposit, type DepositRequest } from "./deposit.ts";
export type { TransferOutcome } from "./outcome.ts";
export { type Sides, sidesOf } from "./sides.ts";
export { transferStatus } from "./status.ts";
export { type Transfer, TransferFile } from "./transfer-file.ts";
export { withdraw, type WithdrawalRequest } from "./withdrawal.ts";
