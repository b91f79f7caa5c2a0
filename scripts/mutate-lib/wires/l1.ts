import type { Wire } from "./wire.ts";

const FOLLOWING = "test/unit/app/node/l1/l1-following.test.ts";
const OPENED = "test/unit/app/node/l1/opened-l1.test.ts";
const ROLE = "test/unit/app/node/replication/active-role-l1.test.ts";
const END_TO_END = "test/e2e/l1.test.ts";
const STARTS = "test/e2e/l1-starts.test.ts";

/** Wires of following L1. */
export const L1_WIRES: readonly Wire[] = [
  {
    fault: "an alarm does not stop production",
    file: "src/app/node/l1/l1-following.ts",
    text: "    ports.production?.halt(alarm.message);\n",
    broken: "    void ports;\n",
    tests: [FOLLOWING],
  },
  {
    fault: "an alarm is never cleared",
    file: "src/app/node/l1/l1-following.ts",
    text: "    this.#alarm = undefined;\n",
    broken: "",
    tests: [FOLLOWING],
  },
  {
    fault: "a restarted executor does not get the newest prices",
    file: "src/app/node/l1/l1-following.ts",
    text: "    if (this.#prices !== undefined) this.#tell(this.#prices);\n",
    broken: "",
    tests: [FOLLOWING],
  },
  {
    fault: "a node that L1 contradicts is ready",
    file: "src/app/node/replication/active-role.ts",
    text: "      l1: services.l1.alarm(),",
    broken: "      l1: undefined,",
    tests: [ROLE],
  },
  {
    fault: "a node whose threads stall is ready",
    file: "src/app/node/replication/active-role.ts",
    text: "      stall: stall(),",
    broken: "      stall: undefined,",
    tests: [ROLE],
  },
  {
    fault: "polling of L1 does not resume after a restart of the threads",
    file: "src/app/node/replication/active-role.ts",
    text: "      this.services.l1.release();\n",
    broken: "",
    tests: [ROLE],
  },
  {
    fault: "polling of L1 continues while no thread runs",
    file: "src/app/node/replication/active-role.ts",
    text: "    services.l1.hold();\n",
    broken: "",
    tests: [ROLE],
  },
  {
    fault: "prices of a block override fixed prices",
    file: "src/app/node/l1/opened-l1.ts",
    text: "{ ...prices, ...this.#deps.fixed }",
    broken: "{ ...this.#deps.fixed, ...prices }",
    tests: [OPENED],
  },
  {
    fault: "a start waits for L1 without a timeout",
    file: "src/app/node/l1/opened-l1.ts",
    text: "() => giveUp(`no answer for ${START_MS / 1000} s`)",
    broken: "() => undefined",
    tests: [OPENED],
  },
  {
    fault: "messages of a stopped executor count as executed",
    file: "src/app/node/production/production-ports.ts",
    text: '{ kind: "interrupted" }',
    broken: '{ kind: "known" }',
    tests: ["test/unit/app/node/production/production-ports.test.ts"],
  },
  {
    fault: "a full node that follows L1 uses the L1 status of gateways",
    file: "src/app/node/sync/sync-settings.ts",
    text: "takesL1Status: !followsL1,",
    broken: "takesL1Status: followsL1 || !followsL1,",
    tests: ["test/unit/app/node/sync/sync-settings.test.ts"],
  },
  {
    fault: "the first blocks after a start have fixed prices",
    file: "src/app/node/storage/part.ts",
    text: "l1Prices: l1.startPrices ?? unpriced.l1Prices",
    broken: "l1Prices: unpriced.l1Prices",
    tests: [END_TO_END],
  },
  {
    fault: "a new chain starts without prices",
    file: "src/app/node/storage/part.ts",
    text: "  if (l1.finding !== undefined && makesGenesis) throw noPrices(l1.finding);\n",
    broken: "",
    tests: [STARTS],
  },
  {
    fault: "L1 is never polled",
    file: "src/app/node/node.ts",
    text: "  roles.services.l1.release();\n",
    broken: "",
    tests: [END_TO_END],
  },
  {
    fault: "changed prices do not reach the role",
    file: "src/app/node/l1/opened-l1.ts",
    text: "    this.#following?.setPrices(prices);",
    broken: "    void prices;",
    tests: [OPENED],
  },
];
