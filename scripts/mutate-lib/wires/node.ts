import type { Wire } from "./wire.ts";

const NODE = "test/unit/app/node/node.test.ts";
const PRODUCTION = "test/unit/app/node/clients/production.test.ts";
const ACTIVE_ROLE = "test/unit/app/node/roles/active-role.test.ts";

/** Of the composition, the main thread's clients, roles, listeners and what operators and developers use. */
export const NODE_WIRES: readonly Wire[] = [
  {
    fault: "connections are taken that there are no files for",
    file: "src/app/node/listeners/listeners.ts",
    text: "{ ...rpc.connections, max: budget.rpcConnections }",
    broken: "{ ...rpc.connections, max: Math.max(budget.rpcConnections, rpc.connections.max) }",
    tests: ["test/unit/app/node/listeners/listeners.test.ts"],
  },
  {
    fault: "threads go on when the node stops",
    file: "src/app/node/node.ts",
    text: "disposables.defer(() => threads.stop());",
    broken: "",
    tests: [NODE],
  },
  {
    fault: "accepted blocks are not reported",
    file: "src/app/node/clients/open-services.ts",
    text: "    services.accepted(block);\n",
    broken: "",
    tests: [NODE],
  },
  {
    fault: "a thread's death does not stop the node",
    file: "src/app/node/node.ts",
    text: "lifecycle.fail(error);",
    broken: "log.error(error.message);",
    tests: ["test/e2e/fail-stop.test.ts"],
  },
  {
    fault: "a query may take as long as it takes",
    file: "src/app/node/clients/query-client.ts",
    text: "deadlineMs: timeoutMs,",
    broken: "deadlineMs: timeoutMs * 1e6,",
    tests: [PRODUCTION],
  },
  {
    fault: "subscribers are not told of rejections",
    file: "src/app/node/clients/production.ts",
    text: "      for (const { hash, reason } of rejected) view.live.rejected(hash, reason);\n",
    broken: "",
    tests: [PRODUCTION],
  },
  {
    fault: "admission does not learn whether candidates are wanted",
    file: "src/app/node/clients/production.ts",
    text: "  view.live.onInterest((wantsUnexecuted) => admission.watch(wantsUnexecuted));\n",
    broken: "",
    tests: [PRODUCTION],
  },
  {
    fault: "declarations are not answered when the node stops",
    file: "src/app/node/clients/production.ts",
    text: "    this.remote.stop();\n    this.admission.stop();\n    this.#declares.stop();\n",
    broken: "    this.remote.stop();\n    this.admission.stop();\n",
    tests: [PRODUCTION],
  },
  {
    fault: "hold and release are swapped",
    file: "src/app/node/clients/production.ts",
    text: "  hold(): void {\n    this.admission.hold();",
    broken: "  hold(): void {\n    this.admission.release();",
    tests: [PRODUCTION],
  },
  {
    fault: "queries wait for ever after a restart of the threads",
    file: "src/app/node/roles/active-role.ts",
    text: "      queryPool.release();\n",
    broken: "",
    tests: [ACTIVE_ROLE],
  },
  {
    fault: "an edge of the sequencer is left out",
    file: "src/app/node/roles/sequencer.ts",
    text: '      ["committer", "admission"],\n',
    broken: "",
    tests: ["test/unit/app/node/roles/roles.test.ts"],
  },
  {
    fault: "the executor stops last",
    file: "src/app/node/roles/sequencer.ts",
    text: 'stop: [["executor"], ["committer", "admission", "validator", "query"]],',
    broken: 'stop: [["committer", "admission", "validator", "query"], ["executor"]],',
    tests: ["test/unit/app/node/roles/roles.test.ts"],
  },
  {
    fault: "an operator's methods are not served on a development chain",
    file: "src/app/node/roles/devnet.ts",
    text: 'main: ["main", "admission", "devnet", "admin"]',
    broken: 'main: ["main", "admission", "devnet"]',
    tests: ["test/unit/app/node/roles/roles.test.ts"],
  },
  {
    fault: "submissions of a development chain are not remembered",
    file: "src/app/node/listeners/rpc-context.ts",
    text: "submit: devnet.watch(role.submit)",
    broken: "submit: role.submit",
    tests: ["test/unit/app/node/listeners/rpc-context.test.ts"],
  },
  {
    fault: "queries are not cancelled when their time at a stop is over",
    file: "src/app/node/listeners/serve.ts",
    text: "server.stop(REQUEST_GRACE_MS, () => queryPool.cancel())",
    broken: "server.stop(REQUEST_GRACE_MS, () => undefined)",
    tests: ["test/unit/app/node/listeners/stop-requests.test.ts"],
  },
  {
    fault: "the limit of a batch is not the option's",
    file: "src/app/node/listeners/serve.ts",
    text: "maxBatchLength: maxBatch,",
    broken: "maxBatchLength: maxBatch * 1000,",
    tests: [NODE],
  },
  {
    fault: "the limit of subscriptions is not the option's",
    file: "src/app/node/listeners/serve.ts",
    text: "{ ...WS_LIMITS, maxSubscriptions }",
    broken: "{ ...WS_LIMITS, maxSubscriptions: maxSubscriptions + 9 }",
    tests: [NODE],
  },
  {
    fault: "nobody's rate is limited",
    file: "src/app/node/listeners/serve.ts",
    text: "    rateLimit,\n    limits",
    broken: "    rateLimit: rateLimit === null ? rateLimit : null,\n    limits",
    tests: [NODE],
  },
  {
    fault: "a call of an operator without the token is not logged",
    file: "src/app/node/listeners/serve-admin.ts",
    text: 'onRefused: (address) => log.warn("admin: refused a call without the token", { address }),',
    broken: "onRefused: () => undefined,",
    tests: ["test/unit/app/node/listeners/serve-admin.test.ts"],
  },
  {
    fault: "gauges that are costly to keep are not brought up to date",
    file: "src/app/node/listeners/metrics-server.ts",
    text: "    beforeScrape();\n",
    broken: "    void beforeScrape;\n",
    tests: ["test/unit/app/node/listeners/metrics-server.test.ts"],
  },
];
