export type { ExplorerIndex } from "./data/index-access.ts";
export type { ExplorerData } from "./data/port.ts";
export type { Rejected, RejectedTransaction, RefusedBlock } from "./data/rejected.ts";
export type { ExplorerStatus } from "./data/status.ts";
export { createExplorerTable } from "./data/works.ts";
export { loadPageRoutes } from "./assets/page-routes.ts";
export { explorerRoutes, type ExplorerRoutesDeps } from "./routes.ts";
