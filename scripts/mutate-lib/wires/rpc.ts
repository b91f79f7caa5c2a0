import type { Wire } from "./wire.ts";

const WS_SERVER = "test/unit/api/rpc/ws/server.test.ts";

/** Wires of the JSON-RPC servers. */
export const RPC_WIRES: readonly Wire[] = [
  {
    fault: "requests that were held during the start get no response",
    file: "src/api/rpc/http/http-listener.ts",
    text: "      early.release(handler);\n",
    broken: "",
    tests: ["test/unit/api/rpc/http/held-requests.test.ts"],
  },
  {
    fault: "a submission is not cancelled when its client disconnects",
    file: "src/api/rpc/method-runner.ts",
    text: "bound.invoke(this.#context, params, client)",
    broken: "bound.invoke(this.#context, params, { ...client })",
    tests: ["test/unit/api/rpc/submission-hang-up.test.ts"],
  },
  {
    fault: "calls over WebSocket count as calls over HTTP",
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
    fault: "subscriptions receive nothing",
    file: "src/api/rpc/ws/service.ts",
    text: "  feed.listen(hub);\n",
    broken: "",
    tests: [WS_SERVER],
  },
  {
    fault: "candidates are not requested",
    file: "src/api/rpc/ws/service.ts",
    text: "wantUnexecuted: (isWanted) => feed.want(isWanted),",
    broken: "wantUnexecuted: (isWanted) => feed.want(isWanted && false),",
    tests: ["test/unit/api/rpc/ws/service.test.ts"],
  },
  {
    fault: "a query runs without its preflight",
    file: "src/api/rpc/method-runner.ts",
    text: "() => bound.preflight?.(this.#context, params)",
    broken: "() => undefined",
    tests: ["test/unit/api/rpc/preflight.test.ts"],
  },
  {
    fault: "version and method are swapped in the message to a query thread",
    file: "src/api/rpc/method-runner.ts",
    text: "#queryPool.run(version, bound.name, paramsText, caller, takeRest);",
    broken: "#queryPool.run(bound.name, version, paramsText, caller, takeRest);",
    tests: ["test/unit/api/rpc/dispatch.test.ts"],
  },
  {
    fault: "long responses are errors over HTTP, too",
    file: "src/api/rpc/dispatch.ts",
    text: "const answering = answerReading(table, reading, notes, notes.takeRest);",
    broken: "const answering = answerReading(table, reading, notes, undefined);",
    tests: ["test/unit/api/rpc/long-answers.test.ts"],
  },
  {
    fault: "the first part of a long response is cached",
    file: "src/api/rpc/method-runner.ts",
    text: "if (isNamed && rest === undefined) this.#cache",
    broken: "if (isNamed) this.#cache",
    tests: ["test/unit/api/rpc/long-answers.test.ts"],
  },
  {
    fault: "query threads do not yield to other queries between pieces of long responses",
    file: "src/app/node/query/query-pool.ts",
    text: "      this.#streams.spent(isRest, processorMs);\n",
    broken: "",
    tests: ["test/unit/app/node/query/query-streams.test.ts"],
  },
];
