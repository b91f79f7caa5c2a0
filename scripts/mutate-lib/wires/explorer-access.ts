import type { Wire } from "./wire.ts";

const ROUTES = "test/unit/api/explorer/data/routes.test.ts";
const LISTS = "test/unit/api/explorer/data/lists.test.ts";
const ASSETS = "test/unit/api/explorer/assets/page-routes.test.ts";
const CHAIN = "test/unit/api/explorer/page/state/chain.test.ts";
const METHODS = "test/unit/app/node/query/query-methods.test.ts";
const OPTION = "test/unit/app/cli/explorer-options.test.ts";
const NODE = "test/unit/app/node/explorer/running-node.test.ts";

/** Wires of the explorer's routes, of the lists on query threads, and of the page. */
export const EXPLORER_ACCESS_WIRES: readonly Wire[] = [
  {
    fault: "the explorer serves the page without its data",
    file: "src/api/explorer/routes.ts",
    text: "[...assets, ...dataRoutes(data)]",
    broken: "data === undefined ? dataRoutes(data) : assets",
    tests: [ROUTES],
  },
  {
    fault: "damage that a query thread finds is not reported",
    file: "src/api/explorer/data/list-answer.ts",
    text: "damaged();",
    broken: "",
    tests: [LISTS],
  },
  {
    fault: "a damaged index makes requests fail without a report",
    file: "src/api/explorer/data/works.ts",
    text: "return DAMAGED;",
    broken: "throw error;",
    tests: [LISTS],
  },
  {
    fault: "lists show blocks that a revert removed",
    file: "src/api/explorer/data/index-access.ts",
    text: "return isOnChain ? { reader, from: oldest.number, to } : undefined;",
    broken: "return { reader, from: isOnChain ? oldest.number : oldest.number, to };",
    tests: [LISTS],
  },
  {
    fault: "lists show blocks above the visible chain",
    file: "src/api/explorer/data/index-access.ts",
    text: "Math.min(newest.number, latest)",
    broken: "Math.max(newest.number, latest)",
    tests: [LISTS],
  },
  {
    fault: "a long list of a stopped request is computed",
    file: "src/api/explorer/data/lists/transfers.ts",
    text: "checkStopped(context);",
    broken: "",
    tests: [LISTS],
  },
  {
    fault: "the pages of a list begin where they ended",
    file: "src/api/explorer/data/routes.ts",
    text: "[...first, after === null ? null : [...after], parameters.limit()]",
    broken: "[...first, null, parameters.limit()]",
    tests: [LISTS],
  },
  {
    fault: "the node serves the page without its redirect",
    file: "src/api/explorer/assets/page-routes.ts",
    text: "return [{ path: PATH, answer: () => REDIRECT, refuse: null }, ...routes];",
    broken: "return routes;",
    tests: [ASSETS],
  },
  {
    fault: "views do not load again when a block is new",
    file: "src/api/explorer/page/state/chain.ts",
    text: "isPausing = false;\n        changed();",
    broken: "isPausing = false;",
    tests: [CHAIN],
  },
  {
    fault: "views do not load again after a reorg",
    file: "src/api/explorer/page/state/chain.ts",
    text: "head.set(null);\n      changed();",
    broken: "head.set(null);",
    tests: [CHAIN],
  },
  {
    fault: "views do not load again after the connection was lost",
    file: "src/api/explorer/page/state/chain.ts",
    text: "if (isOpen) changed();",
    broken: "",
    tests: [CHAIN],
  },
  {
    fault: "a lost connection stays lost",
    file: "src/api/explorer/page/rpc/head-feed.ts",
    text: "setTimeout(() => this.start(), pauseMs);",
    broken: "setTimeout(() => undefined, pauseMs);",
    tests: [CHAIN],
  },
  {
    fault: "the page does not subscribe to new blocks",
    file: "src/api/explorer/page/rpc/head-feed.ts",
    text: 'JSON.stringify({ jsonrpc: "2.0", id: 1, method: "starknet_subscribeNewHeads", params: {} }),',
    broken: '"{}",',
    tests: [CHAIN],
  },
  {
    fault: "query threads lack the explorer's lists",
    file: "src/app/node/query/query-methods.ts",
    text: "if (explorer !== null) all.push(createExplorerTable(explorer));",
    broken: "",
    tests: [METHODS],
  },
  {
    fault: "a development chain has no explorer by default",
    file: "src/app/cli/run-node.ts",
    text: 'options.explorer === null ? isDevnet : options.explorer === "on"',
    broken: 'isDevnet && options.explorer === "on"',
    tests: [OPTION],
  },
  {
    fault: "no thread fills the index",
    file: "src/app/node/threads/part.ts",
    text: 'added: setup.explorer ? ["explorer"] : [],',
    broken: "added: [],",
    tests: [NODE],
  },
  {
    fault: "the JSON-RPC server lacks the explorer's routes",
    file: "src/app/node/query/part.ts",
    text: "sideRoutes: explorer,",
    broken: "sideRoutes: explorer.slice(0, 0),",
    tests: [NODE],
  },
  {
    fault: "query threads do not open the index",
    file: "src/app/node/query/start-query.ts",
    text: "const explorer = setup.explorer\n",
    broken: "const explorer = setup.explorer && setup.followsL1\n",
    tests: [NODE],
  },
  {
    fault: "threads do not know of the explorer",
    file: "src/app/node/setup/node-setup.ts",
    text: "explorer: options.explorer,",
    broken: "explorer: false,",
    tests: [NODE],
  },
  {
    fault: "the node's list of parts does not give the explorer's routes to the server",
    file: "src/app/node/node.ts",
    text: "context, devnet, queryPool, gateway, explorer },",
    broken: "context, devnet, queryPool, gateway, explorer: [] },",
    tests: [NODE],
  },
];
