import type { Wire } from "./wire.ts";

const STARTED = "test/unit/app/node/threads/started-services.test.ts";

/** Wires of threads and their parts. */
export const THREAD_WIRES: readonly Wire[] = [
  {
    fault: "a thread that starts slowly is terminated although it makes progress",
    file: "src/app/node/threads/spawn.ts",
    text: "progress: () => pulse.count,",
    broken: "progress: () => pulse.count * 0,",
    tests: ["test/unit/app/node/threads/spawn.test.ts"],
  },
  {
    fault: "query threads do not see executed transactions",
    file: "src/app/node/production/start-executor.ts",
    text: "readers: [...connectQueries(), ...connectValidators()],",
    broken: "readers: [...connectQueries().slice(0, 0), ...connectValidators()],",
    tests: [STARTED],
  },
  {
    fault: "query threads are not notified of accepted blocks",
    file: "src/app/node/production/start-committer.ts",
    text: '[connect("admission"), ...connectQueries(), ...connectValidators()]',
    broken: '[connect("admission"), ...connectQueries().slice(0, 0), ...connectValidators()]',
    tests: [STARTED],
  },
  {
    fault: "no thread is notified of a block that was recorded as accepted on L1",
    file: "src/app/node/production/start-committer.ts",
    text: "    main.send(settleOnL1({ chain, writer }, message));\n",
    broken: "    settleOnL1({ chain, writer }, message);\n",
    tests: [STARTED],
  },
  {
    fault: "the journals of executor and committer are swapped",
    file: "src/app/node/admission/start-admission.ts",
    text: "executed: crashRecord(files.executionJournal),\n    committed: crashRecord(files.commitJournal),",
    broken:
      "executed: crashRecord(files.commitJournal),\n    committed: crashRecord(files.executionJournal),",
    tests: [STARTED],
  },
  {
    fault: "no account is impersonated",
    file: "src/app/node/query/start-query.ts",
    text: "const isImpersonatedAccount = impersonationOf(setup);",
    broken: "const isImpersonatedAccount = impersonationOf({ ...setup, devnet: null });",
    tests: ["test/e2e/devnet-impersonation.test.ts"],
  },
  {
    fault: "queries cannot be cancelled",
    file: "src/app/node/query/query-methods.ts",
    text: "isStopped: () => cancellation.isStopped(),",
    broken: "isStopped: () => cancellation.isStopped() && false,",
    tests: ["test/unit/app/node/query/query-methods.test.ts"],
  },
  {
    fault: "a method's limits do not apply on query threads",
    file: "src/app/node/query/query-methods.ts",
    text: "limits: setup.methodLimits,",
    broken: "limits: { ...setup.methodLimits, maxTransactions: 1e9, maxEventKeys: 1e9 },",
    tests: ["test/unit/app/node/query/query-methods.test.ts"],
  },
  {
    fault: "queries that waited for a thread stay cancelled after a restart",
    file: "src/app/node/threads/node-threads.ts",
    text: "      this.#ends.lowerFlags();\n",
    broken: "",
    tests: ["test/unit/app/node/threads/node-threads.test.ts"],
  },
  {
    fault: "blocks that are about to be reverted are still shown",
    file: "src/app/node/storage/revert/chain-revert.ts",
    text: "            view.withdraw(blockNumber);\n",
    broken: "",
    tests: ["test/unit/app/node/storage/revert/chain-revert.test.ts"],
  },
];
