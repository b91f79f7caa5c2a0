import { expect, test } from "bun:test";
import {
  createChainReader,
  createChainWriter,
  openDatabase,
  openMempoolStore,
} from "#io/storage/index.ts";
import { testBlockHash } from "#test/helpers/blocks.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { bySize } from "#test/helpers/test-size.ts";

const ROOT = `${import.meta.dir}/../../..`;

/** Times from the first line of a child to its kill, in milliseconds. */
const DELAYS_MS = bySize({ quick: [0, 23, 90], full: [0, 7, 23, 61, 140] });

/** Commits blocks forever and prints the number of each after its commit returned. */
const committing = `
  import { createChainWriter, createChainReader, openDatabase } from "#io/storage/index.ts";
  import { nonceBlock } from "#test/helpers/nonce-chain.ts";
  const path = process.argv.at(-1);
  const handle = await openDatabase({ path, chainId: "T", mode: "writer", durability: "full" });
  const writer = createChainWriter(handle);
  for (let number = (createChainReader(handle).latestNumber() ?? -1) + 1; ; number++) {
    writer.commitBlock(nonceBlock(number));
    require("node:fs").writeSync(1, number + "\\n");
  }
`;

/** Receives and rejects transactions forever; prints each once it is durable. */
const receiving = `
  import { openMempoolStore } from "#io/storage/index.ts";
  const store = await openMempoolStore(process.argv.at(-1), "T");
  const print = (line) => require("node:fs").writeSync(1, line + "\\n");
  for (let hash = BigInt(store.loadAll().length * 2); ; hash++) {
    store.put([{ hash, receivedAtMs: 1, bytes: new Uint8Array(100) }]);
    print(hash);
    if (hash % 2n === 0n) continue;
    store.write({ reject: [{ hash, cause: "rejected", reason: "odd", rejectedAtMs: 1 }] });
    print(-hash);
  }
`;

/** Runs a child, kills it `delayMs` after its first line and returns the printed lines. */
async function linesUntilKilled(code: string, path: string, delayMs: number): Promise<string[]> {
  const child = Bun.spawn([process.execPath, "--eval", code, "--", path], {
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
  return output.split("\n").slice(0, -1);
}

test("killing the process at any moment loses no committed block and leaves none half written", async () => {
  using folder = temporaryFolder();
  const path = folder.file("chain.db");
  for (const delayMs of DELAYS_MS) {
    const printed = Number((await linesUntilKilled(committing, path, delayMs)).at(-1));
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

test("killing the process at any moment loses no received transaction and no rejection", async () => {
  using folder = temporaryFolder();
  const path = folder.file("mempool.db");
  const printed: bigint[] = [];
  for (const delayMs of DELAYS_MS) {
    const lines = await linesUntilKilled(receiving, path, delayMs);
    printed.push(...lines.map(BigInt));
    const store = await openMempoolStore(path, "T");
    const waiting = new Set(store.loadAll().map(({ hash }) => hash));
    for (const each of printed) {
      const hash = each < 0n ? -each : each;
      const reason = store.rejectionOf(hash)?.reason;
      // The transaction is either pending or rejected, and a printed rejection has its reason.
      expect([hash, waiting.has(hash)]).toEqual([hash, reason === undefined]);
      if (each < 0n) expect(reason).toBe("odd");
    }
    store.close();
  }
  expect(printed.length).toBeGreaterThan(5);
}, 60_000);
