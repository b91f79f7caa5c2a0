import type { Wire } from "./wire.ts";

const SERVED = "test/unit/app/node/gateway/serve-gateway.test.ts";
const CACHING = "test/unit/api/gateway/feeder/caching.test.ts";
const CANDIDATES = "test/unit/api/gateway/feeder/candidates.test.ts";

/** Wires of the feeder gateway and the gateway. */
export const GATEWAY_WIRES: readonly Wire[] = [
  {
    fault: "the gateway does not limit rates",
    file: "src/app/node/gateway/serve-gateway.ts",
    text: "rateLimit: gateway.rateLimit,",
    broken: "rateLimit: null,",
    tests: [SERVED],
  },
  {
    fault: "submissions over the gateway are not reported to subscribers",
    file: "src/app/node/gateway/serve-gateway.ts",
    text: "submit: notifyReceived(context.submit, view.live),",
    broken: "submit: context.submit,",
    tests: [SERVED],
  },
  {
    fault: "the gateway's readiness ignores the source that the node follows",
    file: "src/app/node/gateway/serve-gateway.ts",
    text: "readinessOf(context.chain, role.following())",
    broken: "readinessOf(context.chain, null)",
    tests: [SERVED],
  },
  {
    fault: "all addresses share one rate limit",
    file: "src/api/gateway/app.ts",
    text: "rateLimiter?.take(request.caller.address)",
    broken: 'rateLimiter?.take("all")',
    tests: ["test/unit/api/gateway/app.test.ts"],
  },
  {
    fault: "the gateway does not accept transactions",
    file: "src/api/gateway/server.ts",
    text: "[...createFeederRoutes({ ...options, candidates }), addTransactionRoute(submit)]",
    broken:
      "[addTransactionRoute(submit), ...createFeederRoutes({ ...options, candidates })].slice(1)",
    tests: [SERVED],
  },
  {
    fault: "the bytes of a transaction's body are held until the submission is decided",
    file: "src/api/gateway/write/add-transaction.ts",
    text: "    request.release();\n",
    broken: "",
    tests: ["test/unit/api/gateway/write/add-transaction.test.ts"],
  },
  {
    fault: "long responses have no client: all clients count as one",
    file: "src/api/gateway/feeder/long-answer.ts",
    text: "pool.run(FEEDER_TABLE, name, stringifyJson(params), caller)",
    broken: "pool.run(FEEDER_TABLE, name, stringifyJson(params), undefined)",
    tests: [CACHING],
  },
  {
    fault: "responses about accepted blocks are not cached",
    file: "src/api/gateway/feeder/routes/blocks.ts",
    text: "  if (answer.rest === undefined) cache.put(ticket, answer.bytes);\n",
    broken: "  void ticket;\n",
    tests: [CACHING],
  },
  {
    fault: "the cache key of a class contains the block of the request",
    file: "src/api/gateway/feeder/routes/classes.ts",
    text: "const key = `feeder ${name} ${classHash.toString(16)}`;",
    broken: 'const key = `feeder ${name} ${classHash.toString(16)} ${upTo ?? ""}`;',
    tests: [CACHING],
  },
  {
    fault: "reverted candidates are still served",
    file: "src/api/gateway/feeder/candidates.ts",
    text: "reverted: () => this.#forgetAll(),",
    broken: "reverted: () => undefined,",
    tests: [CANDIDATES],
  },
  {
    fault: "query threads do not collect the garbage of responses",
    file: "src/app/node/query/query-service.ts",
    text: "    garbage.lookNow();\n",
    broken: "    void garbage;\n",
    tests: ["test/unit/app/node/query/query-service.test.ts"],
  },
];
