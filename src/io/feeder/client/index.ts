export {
  createGatewayClient,
  type GatewayClient,
  type KnownPart,
  type StatusReply,
} from "./gateway-client.ts";
export {
  type GatewayRequestReport,
  GATEWAY_LIMITS,
  type GatewayAddress,
  type GatewayClientOptions,
  type GatewayLimits,
} from "./options.ts";
export type { SubmissionReply } from "./submission.ts";
