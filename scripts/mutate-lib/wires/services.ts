import type { Wire } from "./wire.ts";

/** Wires of services. */
export const SERVICE_WIRES: readonly Wire[] = [
  {
    fault: "clients are notified of a block before the other threads",
    file: "src/services/sequencer/committer-service.ts",
    text: "[ports.executor, ...ports.readers, ports.main]",
    broken: "[ports.main, ports.executor, ...ports.readers]",
    tests: ["test/unit/services/sequencer/committer-service.test.ts"],
  },
  {
    fault: "work that was deferred until after a block is not done",
    file: "src/services/sequencer/committer-service.ts",
    text: "    this.#deps.afterAccepted();\n",
    broken: "",
    tests: ["test/unit/services/sequencer/committer-service.test.ts"],
  },
  {
    fault: "a transaction is executed without a record on disk",
    file: "src/services/sequencer/executor-service.ts",
    text: "beforeTransaction: (hash) => guard.beforeTransaction(hash),",
    broken: "beforeTransaction: () => undefined,",
    tests: ["test/unit/services/sequencer/executor-service.test.ts"],
  },
  {
    fault: "transactions go to the executor before they would survive a power failure",
    file: "src/services/admission/admission-service.ts",
    text: "this.#commit.mayExecute(entry.hash) &&",
    broken: "",
    tests: ["test/unit/services/admission/admission-executor.test.ts"],
  },
  {
    fault: "transactions are executed before their flush on every chain",
    file: "src/app/node/admission/start-admission.ts",
    text: "executesBeforeSync: setup.devnet !== null,",
    broken: "executesBeforeSync: true,",
    tests: ["test/unit/app/node/threads/started-services.test.ts"],
  },
  {
    fault: "transactions are executed before their flush while a subscriber watches",
    file: "src/services/admission/admission-service.ts",
    text: "deps.executesBeforeSync && !this.#executor.isWatched",
    broken: "deps.executesBeforeSync",
    tests: ["test/unit/services/admission/execution-ahead.test.ts"],
  },
  {
    fault: "the executor is not woken for transactions before their flush",
    file: "src/services/admission/admission-service.ts",
    text: "onAhead: () => this.#executor.wake(),",
    broken: "onAhead: () => undefined,",
    tests: ["test/unit/services/admission/execution-ahead.test.ts"],
  },
  {
    fault: "the executor is not woken for transactions that it returned",
    file: "src/services/admission/admission-service.ts",
    text: "      if (message.requeued.length > 0) this.#executor.wake();\n",
    broken: "",
    tests: ["test/unit/services/admission/admission-executor.test.ts"],
  },
  {
    fault: "free transactions go to the executor after free transactions have ended",
    file: "src/services/admission/admission-service.ts",
    text: "this.#free.mayExecute(entry) &&",
    broken: "",
    tests: ["test/unit/services/admission/admission-free.test.ts"],
  },
  {
    fault: "declarations without a sender are not counted",
    file: "src/services/admission/admission-service.ts",
    text: "onIncluded: (entry) => this.#free.included(entry),",
    broken: "onIncluded: () => undefined,",
    tests: ["test/unit/services/admission/admission-free.test.ts"],
  },
  {
    fault: "the executor does not get messages that crashed the process",
    file: "src/services/sequencer/executor-service.ts",
    text: "this.#control.messages.suspects.note(message)",
    broken: "void message",
    tests: ["test/unit/services/sequencer/executor-messages.test.ts"],
  },
  {
    fault: "only the first of several batches of messages arrives",
    file: "src/services/sequencer/executor-service.ts",
    text: "messages: waiting.next() }",
    broken: "messages: null }",
    tests: ["test/unit/services/sequencer/executor-messages.test.ts"],
  },
  {
    fault: "estimates use the L1 prices of the node's start",
    file: "src/app/node/setup/environment.ts",
    text: "new L1PricesPage(l1PricesPage).current() ?? l1Prices",
    broken:
      "l1PricesPage.byteLength < 0 ? new L1PricesPage(l1PricesPage).current() ?? l1Prices : l1Prices",
    tests: ["test/unit/app/node/setup/environment.test.ts"],
  },
];
