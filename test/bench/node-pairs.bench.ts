/**
 * Prints the cost of a running chain, for one or two executables in turn:
 *
 *     TRANSFERS=2000 ROUNDS=7 bun test/bench/node-pairs.bench.ts OLD [NEW]
 */
import { resolve } from "node:path";
import { measureNode, NODE_FIGURES, PLAIN_NODE } from "./measured-node.ts";
import { printPairs } from "./pairs.ts";

await printPairs(process.argv.slice(2), NODE_FIGURES, (binary) =>
  measureNode({ ...PLAIN_NODE, binary: resolve(binary) }),
);
