import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { METHODS } from "#api/rpc/index.ts";
import { fakeTrace, NO_READS } from "#test/helpers/call-info.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { serveSample } from "#test/helpers/sample-server.ts";
import { SILENT, type FullContext } from "#test/helpers/serving.ts";

const names = METHODS.map(({ name }) => `starknet_${name}`);

const hexLike = fc.oneof(
  fc.bigInt(0n, 1n << 260n).map((value) => `0x${value.toString(16)}`),
  fc.constantFrom("0x", "0xzz", "latest", "pre_confirmed", "pending", "l1_accepted"),
);

const value = fc.oneof(hexLike, fc.jsonValue({ maxDepth: 3 }), fc.integer());

const params = fc.oneof(
  fc.array(value, { maxLength: 5 }),
  fc.dictionary(
    fc.constantFrom("block_id", "contract_address", "key", "request", "class_hash", "index"),
    value,
  ),
  fc.jsonValue(),
);

const request = fc.record(
  {
    jsonrpc: fc.oneof(fc.constant("2.0"), fc.jsonValue()),
    id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
    method: fc.oneof(fc.constantFrom(...names), fc.string()),
    params,
  },
  { requiredKeys: [] },
);

/** Every execution succeeds without calls. */
const executions: Pick<FullContext, "execution" | "tracing"> = {
  execution: {
    call: () => ({ kind: "ok", retdata: [] }),
    estimateFee: () => ({ kind: "ok", estimates: [] }),
  },
  tracing: {
    simulate: () => ({ kind: "ok", simulations: [], initialReads: NO_READS }),
    estimateMessageFee: () => ({ kind: "contract_not_found" }),
    traceBlock: (block) => ({
      kind: "ok",
      traces: block.contents().transactions.map((transaction) => fakeTrace(transaction)),
      initialReads: () => NO_READS,
    }),
    traceOne(block, index) {
      const transaction = block.contents().transactions[index];
      if (transaction === undefined) throw new TypeError(`no transaction ${index}`);
      return { kind: "ok", trace: fakeTrace(transaction) };
    },
    weighBlock: () => ({ kind: "cancelled", done: 0 }),
  },
};

describe("a JSON-RPC server on arbitrary bodies", () => {
  test("responds with JSON, an error or a result per request, and continues", async () => {
    const faults: unknown[] = [];
    const server = await serveSample({
      context: sampleContext(executions),
      observer: { ...SILENT, internalError: (...fault) => void faults.push(fault) },
    });
    const bodies = fc.oneof(
      request.map((body) => JSON.stringify(body)),
      fc.array(request, { maxLength: 4 }).map((body) => JSON.stringify(body)),
      fc.string(),
      fc.json(),
    );
    await assertProperty(
      fc.asyncProperty(bodies, async (body) => {
        const response = await fetch(`http://127.0.0.1:${server.port}/`, { method: "POST", body });
        const text = await response.text();
        expect(faults.splice(0)).toEqual([]);
        if (response.status === 204) return;
        const parsed = JSON.parse(text) as unknown;
        for (const answer of Array.isArray(parsed) ? parsed : [parsed]) {
          const { result, error } = answer as { result?: unknown; error?: { code: number } };
          expect((result === undefined) !== (error === undefined)).toBe(true);
          // An internal error is a fault of the server, whatever the request.
          expect(error?.code).not.toBe(-32603);
        }
      }),
      { numRuns: 600 },
    );
    await server.stop();
  }, 60_000);
});
