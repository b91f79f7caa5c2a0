import type { GatewayRoute } from "../app.ts";
import type { FeederDeps } from "./deps.ts";
import { blockRoutes } from "./routes/blocks.ts";
import { callRoutes } from "./routes/call.ts";
import { chainRoutes } from "./routes/chain.ts";
import { classRoutes } from "./routes/classes.ts";
import { preConfirmedRoutes } from "./routes/pre-confirmed.ts";
import { stateRoutes } from "./routes/state.ts";
import { transactionRoutes } from "./routes/transactions.ts";

export { CandidateBook } from "./candidates.ts";
export type { ChainIdentity, FeederDeps } from "./deps.ts";
export { createFeederTable } from "./works/table.ts";

/** Creates all routes under `/feeder_gateway`. */
export function createFeederRoutes(deps: FeederDeps): readonly GatewayRoute[] {
  return [
    ...blockRoutes(deps),
    ...callRoutes(deps),
    ...chainRoutes(deps),
    ...classRoutes(deps),
    ...preConfirmedRoutes(deps),
    ...stateRoutes(deps),
    ...transactionRoutes(deps),
  ];
}
