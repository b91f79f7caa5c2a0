/**
 * Prints the cost of a chain without and with a publish gate, in turn. The store is on this
 * machine: versitygw if `VERSITYGW` is its path, otherwise the small server of the tests.
 *
 *     VERSITYGW=PATH TRANSFERS=2000 ROUNDS=7 bun test/bench/gate.bench.ts
 */
import { startStore } from "#test/helpers/running-store.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { measureNode, NODE_FIGURES, PLAIN_NODE } from "./measured-node.ts";
import { printPairs } from "./pairs.ts";

await printPairs(["without", "with"], NODE_FIGURES, async (variant) => {
  if (variant === "without") return measureNode(PLAIN_NODE);
  using folder = temporaryFolder();
  const store = await startStore(folder.path, process.env["VERSITYGW"] ?? null);
  try {
    return await measureNode({
      ...PLAIN_NODE,
      args: ["--publish-gate", store.url],
      env: store.env,
    });
  } finally {
    await store.stop();
  }
});
