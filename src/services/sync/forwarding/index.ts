export {
  gatewayRefusal,
  type GatewayRefusal,
  type SubmitAnswer,
  type SubmitErrorName,
  type SubmitRefusal,
  submitRefusal,
} from "./gateway-codes.ts";
