export type { GatewayRoute } from "./app.ts";
export { createGatewayServer, type GatewayServer, type GatewayServerOptions } from "./server.ts";
