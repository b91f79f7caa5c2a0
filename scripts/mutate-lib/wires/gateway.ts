import type { Wire } from "./wire.ts";

const SERVED = "test/unit/app/node/gateway/serve-gateway.test.ts";
const CACHING = "test/unit/api/gateway/feeder/caching.test.ts";
const CANDIDATES = "test/unit/api/gateway/feeder/candidates.test.ts";

/** Of the feeder gateway and the gateway. */
export const GATEWAY_WIRES: readonly Wire[] = [
  {
    fault: "nobody's rate is limited at the gateway",
    file: "src/app/node/gateway/serve-gateway.ts",
    text: "rateLimit: gateway.rateLimit,",
    broken: "rateLimit: null,",
    tests: [SERVED],
  },
  {
    fault: "nobody hears of what a gateway receives",
    file: "src/app/node/gateway/serve-gateway.ts",
    text: "submit: notifyReceived(context.submit, view.live),",
    broken: "submit: context.submit,",
    tests: [SERVED],
  },
  {
    fault: "a gateway says that it is ready whatever it follows",
    file: "src/app/node/gateway/serve-gateway.ts",
    text: "readinessOf(context.chain, role.following())",
    broken: "readinessOf(context.chain, null)",
    tests: [SERVED],
  },
  {
    fault: "all addresses have one limit of requests together",
    file: "src/api/gateway/app.ts",
    text: "rateLimiter?.take(request.caller.address)",
    broken: 'rateLimiter?.take("all")',
    tests: ["test/unit/api/gateway/app.test.ts"],
  },
  {
    fault: "a gateway takes no transactions",
    file: "src/api/gateway/server.ts",
    text: "[...createFeederRoutes({ ...options, candidates }), addTransactionRoute(submit)]",
    broken:
      "[addTransactionRoute(submit), ...createFeederRoutes({ ...options, candidates })].slice(1)",
    tests: [SERVED],
  },
  {
    fault: "bytes of a transaction's body are held until it is decided about",
    file: "src/api/gateway/write/add-transaction.ts",
    text: "    request.release();\n",
    broken: "",
    tests: ["test/unit/api/gateway/write/add-transaction.test.ts"],
  },
  {
    fault: "long answers are made for nobody: all clients are one",
    file: "src/api/gateway/feeder/long-answer.ts",
    text: "pool.run(FEEDER_TABLE, name, stringifyJson(params), caller)",
    broken: "pool.run(FEEDER_TABLE, name, stringifyJson(params), undefined)",
    tests: [CACHING],
  },
  {
    fault: "accepted blocks are written for each who asks",
    file: "src/api/gateway/feeder/routes/blocks.ts",
    text: "  if (answer.rest === undefined) cache.put(ticket, answer.bytes);\n",
    broken: "  void ticket;\n",
    tests: [CACHING],
  },
  {
    fault: "classes are kept apart by the blocks that are named beside them",
    file: "src/api/gateway/feeder/routes/classes.ts",
    text: "const key = `feeder ${name} ${classHash.toString(16)}`;",
    broken: 'const key = `feeder ${name} ${classHash.toString(16)} ${upTo ?? ""}`;',
    tests: [CACHING],
  },
  {
    fault: "candidates that were reverted are told on",
    file: "src/api/gateway/feeder/candidates.ts",
    text: "reverted: () => this.#forgetAll(),",
    broken: "reverted: () => undefined,",
    tests: [CANDIDATES],
  },
  {
    fault: "query threads let garbage of answers stand",
    file: "src/app/node/query/query-service.ts",
    text: "    garbage.lookNow();\n",
    broken: "    void garbage;\n",
    tests: ["test/unit/app/node/query/query-service.test.ts"],
  },
];
