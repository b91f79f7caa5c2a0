export { type ChainIdentity, createFeederTable } from "./feeder/index.ts";
export { GATEWAY_CONNECTIONS } from "./limits.ts";
export type { GatewayObserver } from "./observer.ts";
export {
  createGatewayServer,
  type GatewayServer,
  type GatewayServerOptions,
  openGatewayListener,
} from "./server.ts";
