export type { Inclusion } from "./doubts.ts";
export {
  type ForwardedTransaction,
  Forwarding,
  type ForwardingDeps,
  type ForwardedSubmission,
} from "./forwarding.ts";
export type { HoldableSubmission } from "./held-queues.ts";
export { handOver, type HandOverCounts, type HandOverDeps } from "./hand-over.ts";
export { FORWARDING_LIMITS, type ForwardingLimits } from "./limits.ts";
export {
  gatewayRefusal,
  type GatewayRefusal,
  type SubmitAnswer,
  type SubmitErrorName,
  type SubmitRefusal,
  submitRefusal,
} from "./gateway-codes.ts";
export {
  TAKEOVER_HOLD_LIMITS,
  TakeoverHold,
  type TakeoverHoldDeps,
  type TakeoverHoldLimits,
} from "./takeover-hold.ts";
