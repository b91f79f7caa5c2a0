export type {
  GatewayBlock,
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
