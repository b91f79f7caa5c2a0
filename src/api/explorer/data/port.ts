import type { QueryPool } from "#api/rpc/index.ts";
import type { Rejected } from "./rejected.ts";
import type { ExplorerStatus } from "./status.ts";

/** Source of the explorer's data on the main thread. */
export interface ExplorerData {
  readonly queryPool: QueryPool;
  /** Names the state of chain and index; changes whenever a list or a total of theirs may change. */
  version(): string;
  status(): Promise<ExplorerStatus>;
  rejected(): Rejected;
  /** Called when a query thread has found the index damaged: it has to be built again. */
  damaged(): void;
  /** Clock in Unix milliseconds. */
  nowMs(): number;
}
