export { type BodyRefusal, readBodyText } from "./body.ts";
export { ReplyCompressor } from "./compression.ts";
export { createHostCheck, type HostPolicy, hostPolicyOf } from "./hosts.ts";
export { type HttpListener, openHttpListener } from "./http-listener.ts";
export { type Listener, type ListenOptions, openListener } from "./listener.ts";
export {
  emptyReply,
  type HttpHandler,
  type HttpReply,
  type HttpRequest,
  jsonReply,
  textReply,
} from "./message.ts";
export { pathOf } from "./paths.ts";
export type { PostRoute, SideRoute } from "./side-routes.ts";
export { carry, type HttpEnv, type Passage, replyFrom, requestForHono, route } from "./routing.ts";
export { type Following, type Readiness, readinessOf } from "./readiness.ts";
export { readyReply } from "./ready.ts";
export { HTTP_TIMEOUTS } from "./timeouts.ts";
export { Unpacker } from "./unpacker.ts";
export {
  createRpcServer,
  openRpcListener,
  type RpcServer,
  type RpcServerOptions,
} from "./server.ts";
