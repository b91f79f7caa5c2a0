import type { Wire } from "./wire.ts";

const PART = "test/unit/app/node/fork/part.test.ts";
const LOG = "test/unit/app/node/fork/origin-log.test.ts";
const THREAD = "test/unit/app/node/fork/origin-thread.test.ts";
const CHAIN = "test/unit/engine/state/forked-chain.test.ts";
const WAITING = "test/unit/io/origin/waiting/waiting-channel.test.ts";

/** Wires of a forked chain: its threads, the origin's state, and the values that are read from it. */
export const FORK_WIRES: readonly Wire[] = [
  {
    fault: "the fork thread never gets the addresses of the origin",
    file: "src/app/node/fork/part.ts",
    text: 'port.send({ kind: "begin", urls: fork.urls, headers: fork.headers });\n',
    broken: "",
    tests: [PART],
  },
  {
    fault: "reports of the origin do not reach metrics, log and readiness",
    file: "src/app/node/fork/part.ts",
    text: "return reports.note(message.report);",
    broken: "return;",
    tests: [PART],
  },
  {
    fault: "a lost origin is not the reason of readiness",
    file: "src/app/node/fork/origin-log.ts",
    text: "return this.#alarm;",
    broken: "return undefined;",
    tests: [LOG],
  },
  {
    fault: "answers of the compiler do not reach the class that waits for them",
    file: "src/app/node/fork/origin-thread.ts",
    text: "this.#deps.compiler.settle(message.id, message.outcome)",
    broken: "{}",
    tests: [THREAD],
  },
  {
    fault: "an origin that is no longer the forked one is not reported",
    file: "src/app/node/fork/origin-thread.ts",
    text: 'tally.stateChanged({ kind: "down", sinceUnixMs: Date.now(), reason });',
    broken: "",
    tests: [THREAD],
  },
  {
    fault: "the state of a fork lacks what its own blocks wrote",
    file: "src/engine/state/forked-chain.ts",
    text: "new ForkedState(this.#local.writtenAt(blockNumber), this.#origin.stateAt(forkBlock))",
    broken: "this.#origin.stateAt(forkBlock)",
    tests: [CHAIN],
  },
  {
    fault: "the state after an older block is that of the fork block",
    file: "src/engine/state/forked-chain.ts",
    text: "return this.#origin.stateAt(blockNumber);",
    broken: "return this.#origin.stateAt(forkBlock);",
    tests: [CHAIN],
  },
  {
    fault: "a cancelled request continues to wait for the origin",
    file: "src/io/origin/waiting/waiting-channel.ts",
    text: "isStopped()",
    broken: "isStopped() && false",
    tests: [WAITING],
  },
];
