import { expect, test } from "bun:test";
import { hexFromFelt } from "#base/primitives/index.ts";
import { NO_READS } from "#test/helpers/call-info.ts";
import { errorOf, resultOf, specTest } from "#test/helpers/rpc.ts";
import { emptyContext, sampleContext } from "#test/helpers/sample-chain.ts";
import { SHARED, sharedTest } from "#test/helpers/shared.ts";
import { type TraceWorld, traceWorld } from "#test/helpers/trace-world.ts";
import { SENDER } from "#test/helpers/transfer-chain.ts";
import { errorObject, NO_BLOCK, testBadParams } from "./common.ts";
import type { FullContext } from "#test/helpers/serving.ts";

let world: TraceWorld | undefined;

/** Trace fixtures, executed once. */
const theWorld = (): TraceWorld => (world ??= traceWorld());

const hashesOf = (block: number) =>
  (theWorld().transactions[block] ?? []).map(({ hash }) => hexFromFelt(hash));

const tracesOf = async (params: Parameters<typeof resultOf>[1], version?: string) =>
  (await resultOf("traceBlockTransactions", params, theWorld().context, version)) as {
    transaction_hash: string;
    trace_root: { type: string };
  }[];

for (const [block_id, block] of [
  [{ block_number: 0 }, 0],
  [{ block_hash: "0xb10c1" }, 1],
  ["latest", 1],
] as const) {
  sharedTest(`traces every transaction of ${JSON.stringify(block_id)} in order`, async () => {
    const traces = await tracesOf({ block_id });
    expect(traces.map(({ transaction_hash }) => transaction_hash)).toEqual(hashesOf(block));
    expect(traces.map(({ trace_root }) => trace_root.type)).toEqual(
      (theWorld().transactions[block] ?? []).map(({ transaction }) => transaction.type),
    );
  });
}

sharedTest("traces the lowest unaccepted block as pending before 0.9", async () => {
  for (const version of ["0.8.1", "0.7.1"]) {
    const traces = await tracesOf({ block_id: "pending" }, version);
    expect(traces.map(({ transaction_hash }) => transaction_hash)).toEqual(hashesOf(2));
  }
});

test("returns no traces for a block without transactions", async () => {
  const pending = sampleContext().pending();
  const view = pending && { ...pending, transactions: [], receipts: [] };
  const tracing: Partial<FullContext["tracing"]> = {
    traceBlock(block) {
      const { transactions } = block.contents();
      expect(transactions).toEqual([]);
      return { kind: "ok", traces: [], initialReads: () => NO_READS };
    },
  };
  const context = sampleContext({
    unaccepted: () => (view === undefined ? [] : [view]),
    tracing: tracing as FullContext["tracing"],
  });
  expect(await resultOf("traceBlockTransactions", ["pending"], context, "0.8.1")).toEqual([]);
});

sharedTest("adds the state reads of the block with RETURN_INITIAL_READS", async () => {
  const params = { block_id: { block_number: 1 }, trace_flags: ["RETURN_INITIAL_READS"] };
  const { context, states } = theWorld();
  const { traces, initial_reads: reads } = (await resultOf(
    "traceBlockTransactions",
    params,
    context,
  )) as Record<"traces" | "initial_reads", unknown> & {
    initial_reads: {
      storage: { contract_address: string; key: string; value: string }[];
      nonces: unknown[];
      declared_contracts: { is_declared: boolean }[];
    };
  };
  expect(traces).toEqual(await tracesOf({ block_id: { block_number: 1 } }));
  expect(reads.nonces).toEqual([{ contract_address: hexFromFelt(SENDER), nonce: "0x2" }]);
  expect(reads.declared_contracts.map(({ is_declared }) => is_declared)).toEqual([
    true,
    true,
    true,
  ]);
  expect(reads.storage.length).toBeGreaterThan(5);
  for (const { contract_address, key, value } of reads.storage) {
    expect(BigInt(value)).toBe(
      states[1]?.storageAt(BigInt(contract_address), BigInt(key)) as bigint,
    );
  }
});

sharedTest("executes a chain without fees without fee transfers", async () => {
  const { context, transactions, receipts } = traceWorld({ chargeFees: false });
  expect(receipts[0]?.[0]?.actualFee).toBe(0n);
  const traces = (await resultOf("traceBlockTransactions", ["latest"], context)) as {
    trace_root: { fee_transfer_invocation?: unknown };
  }[];
  expect(traces).toHaveLength(transactions[1]?.length ?? 0);
  for (const { trace_root } of traces) expect(trace_root.fee_transfer_invocation).toBeUndefined();
});

for (const block_id of [NO_BLOCK, { block_number: 99 }] as const) {
  test(`responds BLOCK_NOT_FOUND for an unknown block: ${JSON.stringify(block_id)}`, async () => {
    expect(await errorOf("traceBlockTransactions", { block_id })).toEqual(
      errorObject("BLOCK_NOT_FOUND"),
    );
  });
}

test("responds BLOCK_NOT_FOUND before the first block", async () => {
  expect(await errorOf("traceBlockTransactions", ["latest"], emptyContext())).toEqual(
    errorObject("BLOCK_NOT_FOUND"),
  );
});

test("rejects flags before 0.10", async () => {
  const params = { block_id: "latest", trace_flags: [] };
  for (const version of ["0.9.0", "0.8.1", "0.7.1"]) {
    expect(await errorOf("traceBlockTransactions", params, sampleContext(), version)).toMatchObject(
      {
        code: -32602,
        data: { path: "trace_flags" },
      },
    );
  }
});

test("rejects the pre-confirmed block in 0.9", async () => {
  expect(
    await errorOf(
      "traceBlockTransactions",
      { block_id: "pre_confirmed" },
      sampleContext(),
      "0.9.0",
    ),
  ).toMatchObject({ code: -32602, data: { path: "block_id" } });
});

testBadParams("traceBlockTransactions", { block_id: "pre_confirmed" }, "block_id");
testBadParams("traceBlockTransactions", {}, "block_id");
testBadParams(
  "traceBlockTransactions",
  { block_id: "latest", trace_flags: ["SKIP_VALIDATE"] },
  "trace_flags[0]",
);
specTest("traceBlockTransactions", [
  ...(SHARED === undefined
    ? []
    : ([
        [[{ block_number: 0 }], theWorld().context],
        [[{ block_number: 1 }], theWorld().context],
        [["latest", ["RETURN_INITIAL_READS"]], theWorld().context],
      ] as const)),
  [[NO_BLOCK]],
]);
