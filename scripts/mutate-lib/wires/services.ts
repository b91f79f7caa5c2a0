import type { Wire } from "./wire.ts";

/** Of services. */
export const SERVICE_WIRES: readonly Wire[] = [
  {
    fault: "clients hear of a block before the other threads",
    file: "src/services/sequencer/committer-service.ts",
    text: "[ports.executor, ...ports.readers, ports.main]",
    broken: "[ports.main, ports.executor, ...ports.readers]",
    tests: ["test/unit/services/sequencer/committer-service.test.ts"],
  },
  {
    fault: "what is left for after a block is not done",
    file: "src/services/sequencer/committer-service.ts",
    text: "    this.#deps.afterAccepted();\n",
    broken: "",
    tests: ["test/unit/services/sequencer/committer-service.test.ts"],
  },
  {
    fault: "a transaction is executed that nothing on disk tells of",
    file: "src/services/sequencer/executor-service.ts",
    text: "beforeTransaction: (hash) => guard.beforeTransaction(hash),",
    broken: "beforeTransaction: () => undefined,",
    tests: ["test/unit/services/sequencer/executor-service.test.ts"],
  },
  {
    fault: "transactions are handed out before they would survive power loss",
    file: "src/services/admission/admission-service.ts",
    text: "this.#commit.mayGo(entry.hash) && this.#free.mayGo(entry)",
    broken: "this.#free.mayGo(entry)",
    tests: ["test/unit/services/admission/admission-executor.test.ts"],
  },
  {
    fault: "transactions go ahead of their flush on every chain",
    file: "src/app/node/admission/start-admission.ts",
    text: "executesBeforeSync: setup.devnet !== null,",
    broken: "executesBeforeSync: true,",
    tests: ["test/unit/app/node/threads/started-services.test.ts"],
  },
  {
    fault: "transactions go ahead of their flush while somebody watches",
    file: "src/services/admission/admission-service.ts",
    text: "deps.executesBeforeSync && !this.#executor.isWatched",
    broken: "deps.executesBeforeSync",
    tests: ["test/unit/services/admission/execution-ahead.test.ts"],
  },
  {
    fault: "the executor is not woken for what goes ahead of its flush",
    file: "src/services/admission/admission-service.ts",
    text: "onAhead: () => this.#executor.wake(),",
    broken: "onAhead: () => undefined,",
    tests: ["test/unit/services/admission/execution-ahead.test.ts"],
  },
  {
    fault: "the executor is not woken for what it gave back",
    file: "src/services/admission/admission-service.ts",
    text: "      if (message.givenBack.length > 0) this.#executor.wake();\n",
    broken: "",
    tests: ["test/unit/services/admission/admission-executor.test.ts"],
  },
  {
    fault: "free transactions are handed on when they are free no more",
    file: "src/services/admission/admission-service.ts",
    text: "this.#commit.mayGo(entry.hash) && this.#free.mayGo(entry)",
    broken: "this.#commit.mayGo(entry.hash)",
    tests: ["test/unit/services/admission/admission-free.test.ts"],
  },
  {
    fault: "declarations by nobody are not counted",
    file: "src/services/admission/admission-service.ts",
    text: "onIncluded: (entry) => this.#free.included(entry),",
    broken: "onIncluded: () => undefined,",
    tests: ["test/unit/services/admission/admission-free.test.ts"],
  },
  {
    fault: "the executor does not hear of messages that the process died of",
    file: "src/services/sequencer/executor-service.ts",
    text: "this.#control.messages.suspects.note(message)",
    broken: "void message",
    tests: ["test/unit/services/sequencer/executor-messages.test.ts"],
  },
  {
    fault: "of several turns of messages only the first one comes",
    file: "src/services/sequencer/executor-service.ts",
    text: "messages: waiting.next() }",
    broken: "messages: null }",
    tests: ["test/unit/services/sequencer/executor-messages.test.ts"],
  },
  {
    fault: "estimates have the prices of L1 that the node was started with",
    file: "src/app/node/setup/environment.ts",
    text: "new L1PricesPage(l1PricesPage).current() ?? l1Prices",
    broken:
      "l1PricesPage.byteLength < 0 ? new L1PricesPage(l1PricesPage).current() ?? l1Prices : l1Prices",
    tests: ["test/unit/app/node/setup/environment.test.ts"],
  },
];
