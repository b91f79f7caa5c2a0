import type { Wire } from "./wire.ts";

const SYNC = "test/unit/services/sync/sync-service.test.ts";
const REFUSED = "test/unit/services/sync/refused.test.ts";
const FOLLOWER = "test/unit/app/node/sync/follower.test.ts";
const REORG = "test/unit/app/node/sync/reorg.test.ts";
const FORWARD = "test/unit/app/node/sync/forwarding/forward-to.test.ts";

/** Wires of following another node, and of forwarding transactions to it. */
export const SYNC_WIRES: readonly Wire[] = [
  {
    fault: "clients are notified of a followed block before query threads",
    file: "src/services/sync/sync-service.ts",
    text: "for (const listener of [...readers, main])",
    broken: "for (const listener of [main, ...readers])",
    tests: [SYNC],
  },
  {
    fault: "forwarded transactions are not tracked",
    file: "src/services/sync/sync-service.ts",
    text: "this.#pending.expect(message.hash);",
    broken: "void message.hash;",
    tests: ["test/unit/services/sync/transaction-forwarded.test.ts"],
  },
  {
    fault: "the key that was accepted first is lost at the next start",
    file: "src/services/sync/identity.ts",
    text: "  writer.putValue(PUBLIC_KEY, bytesFromFelt(publicKey));\n",
    broken: "  void writer.putValue;\n  void bytesFromFelt;\n",
    tests: [REFUSED],
  },
  {
    fault: "a gateway with other fee tokens is followed",
    file: "src/services/sync/identity.ts",
    text: "  await requireFeeTokens(deps);\n",
    broken: "  void requireFeeTokens;\n",
    tests: [REFUSED],
  },
  {
    fault: "query threads still show blocks that the sequencer lost",
    file: "src/app/node/query/query-service.ts",
    text: 'if (message.kind === "pendingDropped") feed.lost();',
    broken: 'if (message.kind === "pendingDropped") void feed;',
    tests: ["test/unit/app/node/query/query-service.test.ts"],
  },
  {
    fault: "the node does not revert to another branch",
    file: "src/app/node/sync/follower.ts",
    text: "void this.#deps.reorg.to(message);",
    broken: "void message;",
    tests: [FOLLOWER],
  },
  {
    fault: "a node that follows another chain continues",
    file: "src/app/node/sync/follower.ts",
    text: "        this.#deps.onOtherChain(message.message);\n",
    broken: "",
    tests: [FOLLOWER],
  },
  {
    fault: "requests that wait for the gateway get no response when the node stops",
    file: "src/app/node/sync/follower.ts",
    text: "    this.#deps.forwarded.stop(isChange);\n",
    broken: "",
    tests: [FOLLOWER],
  },
  {
    fault: "L1-accepted blocks are reverted",
    file: "src/app/node/sync/reorg.ts",
    text: "check: () => this.#check(order),",
    broken: "check: () => void this.#check,",
    tests: [REORG],
  },
  {
    fault: "a failed revert is not retried",
    file: "src/app/node/sync/reorg.ts",
    text: "      await this.#tryAgain();\n",
    broken: "      void this.#tryAgain;\n",
    tests: [REORG],
  },
  {
    fault: "transactions in a block count as pending",
    file: "src/app/node/sync/forwarding/forward-to.ts",
    text: "inclusionOf: (hash) => inclusionOf(view, hash),",
    broken: "inclusionOf: (hash) => (hash === 0n ? inclusionOf(view, hash) : undefined),",
    tests: [FORWARD],
  },
  {
    fault: "requests to the gateway continue when the node stops",
    file: "src/app/node/sync/forwarding/forward-to.ts",
    text: "timer.after(STOP_GRACE_MS, () => ended.abort());",
    broken: "timer.after(STOP_GRACE_MS, () => undefined);",
    tests: [FORWARD],
  },
  {
    fault: "query threads are not connected to the sync thread",
    file: "src/app/node/threads/roles/full-node.ts",
    text: '      ["sync", "query"],\n',
    broken: "",
    tests: ["test/unit/app/node/threads/roles/roles.test.ts"],
  },
];
