export { type Listener, type ListenOptions, openListener } from "./listener.ts";
export {
  createRpcServer,
  openRpcListener,
  type RpcServer,
  type RpcServerOptions,
} from "./server.ts";
