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
    text: "mayGo: ({ hash }) => this.#commit.isDurable(hash),",
    broken: "mayGo: () => true,",
    tests: ["test/unit/services/admission/admission-executor.test.ts"],
  },
  {
    fault: "the executor is not woken for what it gave back",
    file: "src/services/admission/admission-service.ts",
    text: "      if (message.givenBack.length > 0) this.#executor.wake();\n",
    broken: "",
    tests: ["test/unit/services/admission/admission-executor.test.ts"],
  },
];
