import { expect, test } from "bun:test";
import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { ANVIL_KEY, startAnvil } from "#test/helpers/anvil.ts";
import { startForkNode } from "#test/helpers/fork/fork-node.ts";
import { deployCore } from "#test/helpers/l1-core.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { run } from "./run.ts";

const REASON = "state roots of a fork cover its local changes alone";

test("l1 settle refuses the chain of a fork", async () => {
  using folder = temporaryFolder();
  const keyFile = join(folder.path, "operator.key");
  writeFileSync(keyFile, `${ANVIL_KEY}\n`, { mode: 0o600 });
  await using node = startForkNode();
  const anvil = await startAnvil();
  try {
    const { address } = await deployCore(anvil);
    const settle = ["l1", "settle", "--dev", "--key-file", keyFile, "--core-contract", address];
    const result = await run([...settle, "--l1-endpoint", anvil.url, "--url", node.url]);
    expect(result.err).toContain(`is a fork and cannot be settled: ${REASON}`);
  } finally {
    await anvil.stop();
  }
}, 60_000);

test("replay refuses the chain of a fork", async () => {
  await using node = startForkNode();
  const result = await run(["replay", "--block", "4", "--url", node.url]);
  expect(result.err).toContain(`is a fork and cannot be replayed: ${REASON}`);
});
