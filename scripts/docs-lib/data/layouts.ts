/**
 * Rooms of the node in the layout by floor of the program: the floor of `src` that each folder and file of
 * `src/app/node` serves.
 */
export const SERVED_FLOOR: Readonly<Record<string, string>> = {
  setup: "base",
  metrics: "base",
  threads: "base",
  compiler: "engine",
  fork: "io",
  storage: "io",
  admission: "services",
  l1: "services",
  production: "services",
  replication: "services",
  sync: "services",
  admin: "api",
  devnet: "api",
  gateway: "api",
  explorer: "api",
  query: "api",
  "index.ts": "app",
  "node.ts": "app",
};

/** Path of data through the program. */
export interface WalkedFiles {
  /** Heading of the walk in `docs/walks.md`. */
  readonly heading: string;
  /** Files of `src` through which the data moves, in order, without calls that return to their caller. */
  readonly files: readonly string[];
}

/** The walks of `docs/walks.md`, each by the files that pass the data on. */
export const WALKS: readonly WalkedFiles[] = [
  {
    heading: "A submitted transaction",
    files: [
      "api/rpc/methods/addInvokeTransaction.ts",
      "app/node/replication/active-role.ts",
      "app/node/production/production.ts",
      "app/node/admission/admission-client.ts",
      "services/admission/admission-service.ts",
      "services/sequencer/executor-service.ts",
      "services/sequencer/committer-service.ts",
      "app/node/production/remote-threads.ts",
      "app/node/storage/chain/chain-view.ts",
      "api/rpc/ws/feed.ts",
    ],
  },
  {
    heading: "A storage read",
    files: [
      "api/rpc/methods/getStorageAt.ts",
      "app/node/storage/chain/published-chain.ts",
      "engine/state/recent-state.ts",
      "io/storage/state/reader.ts",
    ],
  },
  {
    heading: "A page of events",
    files: [
      "api/rpc/method-runner.ts",
      "app/node/query/query-pool.ts",
      "app/node/query/query-service.ts",
      "api/rpc/run-query.ts",
      "app/node/storage/chain/published-chain.ts",
      "io/storage/event-index/search.ts",
    ],
  },
  {
    heading: "A message from L1",
    files: [
      "services/l1-watch/message-watch.ts",
      "app/node/l1/l1-run.ts",
      "app/node/production/control-client.ts",
      "services/sequencer/control-handler.ts",
      "io/storage/chain-writer.ts",
      "app/node/production/remote-threads.ts",
      "app/node/storage/chain/chain-view.ts",
      "services/l1-watch/message-executor.ts",
    ],
  },
  {
    heading: "A block of a full node",
    files: [
      "services/sync/pipeline.ts",
      "services/sync/sync-service.ts",
      "app/node/sync/follower.ts",
      "app/node/storage/chain/chain-view.ts",
      "api/rpc/ws/feed.ts",
    ],
  },
];
