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
  readBlockReference,
  readGatewayBlock,
  writeBlockReference,
  writeGatewayBlock,
} from "./wire/block.ts";
export { type GasMembers, gasMembersOf } from "./wire/execution-resources.ts";
export { writeGatewayReceipt } from "./wire/receipt.ts";
export { readGatewaySignature, writeGatewaySignature } from "./wire/signature.ts";
export {
  readGatewayStateUpdate,
  readGatewayWholeBlock,
  writeGatewayStateUpdate,
  writeGatewayWholeBlock,
} from "./wire/state-update.ts";
export { writeGatewayTransaction } from "./wire/transaction.ts";
