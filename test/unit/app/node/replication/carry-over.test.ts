import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";
import { THIS_NODE, type TransactionSubmitter } from "#api/rpc/index.ts";
import { CarryOver } from "#app/node/replication/carry-over.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import { chainIdFelt } from "#app/node/setup/setup.ts";
import { stringifyJson } from "#base/codec/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { writeAddTransaction } from "#io/feeder/index.ts";
import { openMempoolStore } from "#io/storage/index.ts";
import { encodeTransaction, transactionHash } from "#protocol/chain/index.ts";
import { loadChainConfig } from "#protocol/config/index.ts";
import type { ForwardedSubmission } from "#services/sync/index.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";
import { sentDeclaration } from "#test/helpers/sent-declaration.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";

type Answer = Awaited<ReturnType<TransactionSubmitter["declare"]>>;

const folder = useFolder();
const { config } = await loadChainConfig({ preset: "devnet", role: "full" });

function forwardedInvoke(nonce: bigint): ForwardedSubmission {
  const transaction = emptyInvoke(1n, nonce);
  const hash = transactionHash(transaction, chainIdFelt(config));
  return { hash, bytes: encodeTransaction({ hash, transaction }), bodyJson: undefined };
}

async function forwardedDeclaration(number: bigint): Promise<ForwardedSubmission> {
  const declaration = sentDeclaration(number);
  const transaction = { ...declaration.transaction, classHash: number };
  const bytes = encodeTransaction({ hash: number, transaction });
  const body = await writeAddTransaction({ kind: "declaration", declaration });
  return { hash: number, bytes, bodyJson: stringifyJson(body) };
}

/** Forwarded transactions that a follower carries over, and declarations of the new role. */
function world(
  name: string,
  submissions: readonly ForwardedSubmission[],
  answers: readonly Answer[] = [],
) {
  mkdirSync(folder.file(name), { recursive: true });
  const files = nodeFiles(folder.file(name), null);
  const lines: string[] = [];
  const declared: unknown[] = [];
  const carried = new CarryOver({
    setup: { files, config },
    forwardedSubmissions: () => submissions,
    submit: () => ({
      declare(declaration, client) {
        expect(client).toBe(THIS_NODE);
        declared.push(declaration.transaction);
        return Promise.resolve(answers[declared.length - 1] ?? ACCEPTED);
      },
    }),
    log: createLogger({ level: "info", format: "text", write: (line) => lines.push(line) }),
  });
  return {
    carried,
    lines,
    declared,
    files,
    async waiting() {
      const store = await openMempoolStore(files.mempoolDatabase, config.chainId);
      const entries = store.loadAll();
      store.close();
      return entries.map(({ hash, bytes }) => ({ hash, bytes: new Uint8Array(bytes) }));
    },
  };
}

const ACCEPTED: Answer = { kind: "accepted", transactionHash: 1n };

describe("a follower that becomes the producer", () => {
  test("keeps its forwarded transactions in the mempool in order, once", async () => {
    const submissions = [2n, 0n, 1n].map(forwardedInvoke);
    const { carried, waiting, lines } = world("invokes", submissions);
    await carried.keep();
    await carried.keep();
    expect(await waiting()).toEqual(
      submissions.map(({ hash, bytes }) => ({ hash, bytes: new Uint8Array(bytes) })),
    );
    expect(lines[0]).toMatch(/forwarded transactions now wait on this node.*count=3/);
  });

  test("creates no mempool if it forwarded nothing", async () => {
    const { carried, files, lines } = world("nothing", []);
    await carried.keep();
    await carried.declare();
    expect([existsSync(files.mempoolDatabase), lines]).toEqual([false, []]);
  });

  test("resubmits declarations in its new role and logs those that are lost", async () => {
    const submissions = await Promise.all([7n, 8n, 9n].map(forwardedDeclaration));
    const { carried, declared, lines, waiting } = world(
      "declarations",
      [...submissions, forwardedInvoke(0n)],
      [
        { kind: "rejected", code: "DUPLICATE_TX", reason: "here" },
        { kind: "rejected", code: "VALIDATION_FAILURE", reason: "no balance" },
      ],
    );
    await carried.keep();
    expect(await waiting()).toHaveLength(1);
    expect(declared).toEqual([]);
    await carried.declare();
    await carried.declare();
    expect(declared).toEqual([7n, 8n, 9n].map((number) => sentDeclaration(number).transaction));
    const lost = lines.filter((line) => line.includes("lost"));
    expect(lost).toEqual([expect.stringContaining("no balance")]);
  });
});
