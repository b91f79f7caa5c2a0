import { describe, expect } from "bun:test";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { OriginRemote, type OriginQuery } from "#io/origin/index.ts";
import { remoteOptions, type SentCall, serveResults } from "#test/helpers/origin-server.ts";
import { readFixtureJson, sharedTest } from "#test/helpers/shared.ts";

const HASH = 0x5an;
const N = 2;

interface TraceRow {
  readonly transaction_hash: string;
  readonly trace_root: Record<string, unknown>;
}

const VERSIONS = { "0.8.0": "0.8.1", "0.9.0": "0.9.0", "0.10.0": "0.10.0" } as const;

/** Header of a block in the fixtures, with other transactions. */
function listOf(version: string, transactions: readonly string[]): Record<string, unknown> {
  const fixture = readFixtureJson("rpc-execution", version, "blocks/latest_with_tx_hashes.json");
  const place = { block_hash: hexFromFelt(HASH), block_number: N };
  return { ...(fixture as Record<string, unknown>), ...place, transactions };
}

/** A remote at block 2 of a node with these results. */
async function remoteWith(
  version: keyof typeof VERSIONS,
  transactions: readonly string[],
  results: Readonly<Record<string, (params: SentCall["params"]) => unknown>>,
) {
  const server = serveResults({
    specVersion: () => VERSIONS[version],
    chainId: () => "0x534e5f54455354",
    getBlockWithTxHashes: () => listOf(version, transactions),
    getBlockTransactionCount: () => transactions.length,
    ...results,
  });
  const remote = new OriginRemote(remoteOptions([server.url]));
  const state = { newRoot: 1n, protocolVersion: "0.13.2" };
  await remote.repin({ chainId: 0x534e5f54455354n, number: N, hash: HASH, ...state });
  const fetch = async (query: OriginQuery): Promise<unknown> => {
    const value = await remote.fetch(query, remote.task(query.kind));
    return value === null ? null : JSON.parse(new TextDecoder().decode(value));
  };
  return { server, fetch };
}

describe.each(Object.keys(VERSIONS) as (keyof typeof VERSIONS)[])(
  "OriginRemote with responses of Pathfinder in version %s",
  (version) => {
    sharedTest("returns the traces of a block unchanged", async () => {
      const file = "traces/multiple_txs.json";
      const rows = readFixtureJson("rpc-execution", version, file) as readonly TraceRow[];
      const hashes = rows.map(({ transaction_hash }) => transaction_hash);
      const { server, fetch } = await remoteWith(version, hashes, {
        traceBlockTransactions: () => rows,
      });
      await using _ = server;
      expect(await fetch({ kind: "traces", block: N })).toEqual(rows);
    });

    sharedTest("returns the trace of a transaction up to the fork block", async () => {
      const file = "traces/multiple_txs.json";
      const rows = readFixtureJson("rpc-execution", version, file) as readonly TraceRow[];
      const hashes = rows.map(({ transaction_hash }) => transaction_hash);
      const { server, fetch } = await remoteWith(version, hashes, {
        traceTransaction: () => rows[0]?.trace_root,
        getTransactionReceipt: ({ transaction_hash }) => ({
          transaction_hash,
          block_hash: hexFromFelt(HASH),
          block_number: N,
        }),
      });
      await using _ = server;
      const transactionHash: Felt = BigInt(hashes[0] ?? "0");
      expect(await fetch({ kind: "trace", transactionHash })).toEqual(rows[0]?.trace_root);
    });

    sharedTest("returns the messages that blocks up to the fork block consumed", async () => {
      const status = { finality_status: "ACCEPTED_ON_L1", execution_status: "SUCCEEDED" };
      const [known, later] = ["0xa1", "0xa2"].map((hash) => ({
        transaction_hash: hash,
        ...status,
      }));
      const { server, fetch } = await remoteWith(version, ["0xa1"], {
        getMessagesStatus: () => [known, later],
        getTransactionReceipt: ({ transaction_hash }) => ({
          transaction_hash,
          ...(transaction_hash === "0xa1"
            ? { block_hash: hexFromFelt(HASH), block_number: N }
            : { block_hash: "0x7", block_number: N + 1 }),
        }),
      });
      await using _ = server;
      expect(await fetch({ kind: "messages", l1TransactionHash: 5n })).toEqual([known]);
    });

    sharedTest("returns no message of a transaction in a block that is not sealed", async () => {
      const row = { transaction_hash: "0xa1", finality_status: "ACCEPTED_ON_L2" };
      const { server, fetch } = await remoteWith(version, ["0xa1"], {
        getMessagesStatus: () => [row],
        getTransactionReceipt: ({ transaction_hash }) => ({ transaction_hash }),
      });
      await using _ = server;
      expect(await fetch({ kind: "messages", l1TransactionHash: 5n })).toEqual([]);
    });
  },
);
