export { type HostPolicy, hostPolicyOf } from "./hosts.ts";
export { type Listener, type ListenOptions, openListener } from "./listener.ts";
export { readinessOf } from "./readiness.ts";
export { HTTP_TIMEOUTS } from "./timeouts.ts";
export {
  createRpcServer,
  openRpcListener,
  type RpcServer,
  type RpcServerOptions,
} from "./server.ts";
