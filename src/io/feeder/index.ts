export {
  type GatewayRequestReport,
  createGatewayClient,
  GATEWAY_LIMITS,
  type GatewayAddress,
  type GatewayClient,
  type GatewayClientOptions,
  type GatewayLimits,
  type KnownPart,
  type StatusReply,
  type SubmissionReply,
} from "./client/index.ts";
export type {
  GatewayBlock,
  GatewayBlockReference,
  GatewayBlockSignature,
  GatewayBlockStatus,
  GatewayContractAddresses,
  GatewayHeader,
  GatewaySignature,
  GatewayStateUpdate,
  GatewayTransactionStatus,
  GatewayWholeBlock,
  PreConfirmedAnswer,
  PreConfirmedBlock,
  PreConfirmedPart,
} from "./types.ts";
export {
  type OutgoingDeclaration,
  type OutgoingTransaction,
  writeAddTransaction,
} from "./wire/add-transaction.ts";
export {
  readBlockReference,
  readGatewayBlock,
  writeBlockReference,
  writeGatewayBlock,
} from "./wire/block.ts";
export { type GasMembers, gasMembersOf } from "./wire/execution-resources.ts";
export { writeGatewayReceipt } from "./wire/receipt.ts";
export { readContractAddresses, writeContractAddresses } from "./wire/contract-addresses.ts";
export { readGatewayClass, writeGatewayClass } from "./wire/contract-class.ts";
export { type GatewayErrorBody, readGatewayError, writeGatewayError } from "./wire/error.ts";
export { readPublicKey, writePublicKey } from "./wire/public-key.ts";
export {
  PRE_CONFIRMED_UNCHANGED,
  readPreConfirmed,
  writePreConfirmedBlock,
  writePreConfirmedMore,
} from "./wire/pre-confirmed.ts";
export {
  readGatewayTransactionStatus,
  writeGatewayTransactionStatus,
} from "./wire/transaction-status.ts";
export { readGatewayTransaction, type SentTransaction } from "./wire/sent-transaction.ts";
export { readGatewaySignature, writeGatewaySignature } from "./wire/signature.ts";
export {
  readGatewayStateUpdate,
  readGatewayWholeBlock,
  writeGatewayStateUpdate,
  writeGatewayWholeBlock,
} from "./wire/state-update.ts";
export { writeGatewayTransaction } from "./wire/transaction.ts";
