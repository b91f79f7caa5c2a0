import type { Wire } from "./wire.ts";

const WS_SERVER = "test/unit/api/rpc/ws/server.test.ts";

/** Of the servers of JSON-RPC. */
export const RPC_WIRES: readonly Wire[] = [
  {
    fault: "what was held while the node started is never answered",
    file: "src/api/rpc/http/http-listener.ts",
    text: "      early.release(handler);\n",
    broken: "",
    tests: ["test/unit/api/rpc/http/held-requests.test.ts"],
  },
  {
    fault: "a submission is not told when its client hangs up",
    file: "src/api/rpc/method-runner.ts",
    text: "bound.invoke(this.#context, params, client)",
    broken: "bound.invoke(this.#context, params, { ...client })",
    tests: ["test/unit/api/rpc/submission-hang-up.test.ts"],
  },
  {
    fault: "calls over WebSocket are counted as those over HTTP",
    file: "src/api/rpc/http/server.ts",
    text: "createDispatcher({ ...shared, observer: webSocketObserver })",
    broken: "createDispatcher({ ...shared, observer })",
    tests: [WS_SERVER],
  },
  {
    fault: "calls over WebSocket are not limited",
    file: "src/api/rpc/http/server.ts",
    text: "    rateLimiter,\n    feed,",
    broken: "    rateLimiter: null,\n    feed,",
    tests: ["test/unit/api/rpc/ws/service.test.ts"],
  },
  {
    fault: "messages may be longer than bodies",
    file: "src/api/rpc/http/server.ts",
    text: "maxMessageBytes: maxBodyBytes,",
    broken: "maxMessageBytes: maxBodyBytes * 1000,",
    tests: ["test/unit/api/rpc/ws/transport/long-messages.test.ts", WS_SERVER],
  },
  {
    fault: "subscriptions hear nothing",
    file: "src/api/rpc/ws/service.ts",
    text: "  feed.listen(hub);\n",
    broken: "",
    tests: [WS_SERVER],
  },
  {
    fault: "candidates are not asked for",
    file: "src/api/rpc/ws/service.ts",
    text: "wantUnexecuted: (isWanted) => feed.want(isWanted),",
    broken: "wantUnexecuted: (isWanted) => feed.want(isWanted && false),",
    tests: ["test/unit/api/rpc/ws/service.test.ts"],
  },
  {
    fault: "a query is run without its preflight",
    file: "src/api/rpc/method-runner.ts",
    text: "    if (bound.preflight !== null) await bound.preflight(this.#context, params);\n",
    broken: "",
    tests: ["test/unit/api/rpc/preflight.test.ts"],
  },
  {
    fault: "version and method are swapped on the way to a query thread",
    file: "src/api/rpc/method-runner.ts",
    text: "#queryPool.run(version, bound.name, paramsText, caller, takeRest);",
    broken: "#queryPool.run(bound.name, version, paramsText, caller, takeRest);",
    tests: ["test/unit/api/rpc/dispatch.test.ts"],
  },
  {
    fault: "long answers are errors over HTTP, too",
    file: "src/api/rpc/dispatch.ts",
    text: "const answering = answerReading(table, reading, notes, notes.takeRest);",
    broken: "const answering = answerReading(table, reading, notes, undefined);",
    tests: ["test/unit/api/rpc/long-answers.test.ts"],
  },
  {
    fault: "the beginning of a long answer is kept for whoever asks next",
    file: "src/api/rpc/method-runner.ts",
    text: "if (isNamed && rest === undefined) this.#cache",
    broken: "if (isNamed) this.#cache",
    tests: ["test/unit/api/rpc/long-answers.test.ts"],
  },
  {
    fault: "query threads get no pause for others between pieces of long answers",
    file: "src/app/node/query/query-pool.ts",
    text: "      this.#streams.spent(isRest, processorMs);\n",
    broken: "",
    tests: ["test/unit/app/node/query/query-streams.test.ts"],
  },
];
