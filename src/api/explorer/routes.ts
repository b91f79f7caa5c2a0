import type { PostRoute, SideRoute } from "#api/rpc/index.ts";
import type { ExplorerData } from "./data/port.ts";
import { dataRoutes } from "./data/routes.ts";

/** Parts of {@link explorerRoutes}. */
export interface ExplorerRoutesDeps {
  /** Routes of the page and its files. */
  readonly assets: readonly SideRoute[];
  readonly data: ExplorerData;
}

/** Creates all routes of the explorer, for the JSON-RPC server. */
export function explorerRoutes({
  assets,
  data,
}: ExplorerRoutesDeps): readonly (SideRoute | PostRoute)[] {
  return [...assets, ...dataRoutes(data)];
}
