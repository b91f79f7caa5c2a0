import { expect, test } from "bun:test";
import { createChainReader, createChainWriter, openDatabase } from "#storage/index.ts";
import { testBlockHash } from "#test/helpers/blocks.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const ROOT = `${import.meta.dir}/../../..`;

/** Commits blocks without end and prints the number of each after its commit returned. */
const committing = `
  import { createChainWriter, createChainReader, openDatabase } from "#storage/index.ts";
  import { growingBlock } from "#test/helpers/growing-chain.ts";
  const path = process.argv.at(-1);
  const handle = await openDatabase({ path, chainId: "T", mode: "writer", durability: "full" });
  const writer = createChainWriter(handle);
  for (let number = (createChainReader(handle).latestNumber() ?? -1) + 1; ; number++) {
    writer.commitBlock(growingBlock(number));
    require("node:fs").writeSync(1, number + "\\n");
  }
`;

/** Runs the child, kills it after `delayMs` of committing, and gives the last number it printed. */
async function commitUntilKilled(path: string, delayMs: number): Promise<number> {
  const child = Bun.spawn([process.execPath, "--eval", committing, "--", path], {
    cwd: ROOT,
    stdout: "pipe",
    stderr: "inherit",
  });
  let output = "";
  let killing = false;
  for await (const bytes of child.stdout) {
    output += new TextDecoder().decode(bytes);
    if (killing) continue;
    killing = true;
    setTimeout(() => child.kill(9), delayMs);
  }
  await child.exited;
  const lines = output.split("\n").slice(0, -1);
  return Number(lines.at(-1));
}

test("killing the process at any moment loses no committed block and leaves none half written", async () => {
  using folder = temporaryFolder();
  const path = folder.file("chain.db");
  for (const delayMs of [0, 7, 23, 61, 140]) {
    const printed = await commitUntilKilled(path, delayMs);
    const handle = await openDatabase({ path, chainId: "T", mode: "writer", durability: "full" });
    const reader = createChainReader(handle);
    const latest = reader.latestNumber() ?? -1;
    expect(latest).toBeGreaterThanOrEqual(printed);
    expect(handle.connection.query("pragma integrity_check").get()).toEqual({
      integrity_check: "ok",
    });
    for (let number = 0; number <= latest; number++) {
      expect(reader.header(number)?.hash).toBe(testBlockHash(number));
      expect(reader.stateDiff(number)).toBeDefined();
      expect(reader.transactions(number)).toHaveLength(5);
      expect(reader.receipts(number)).toHaveLength(5);
      expect(reader.stateAt(number).nonceAt(1n)).toBe(BigInt(number));
      expect(reader.trieAt(number).root({ kind: "classes", contractAddress: 0n })?.id).toBe(
        number + 1,
      );
    }
    expect(createChainWriter(handle).trieStore.node(latest + 1)).toBeDefined();
    expect(createChainWriter(handle).trieStore.node(latest + 2)).toBeUndefined();
    handle.close();
  }
}, 60_000);
