import { describe, expect, test } from "bun:test";
import { LongResult } from "#api/rpc/index.ts";
import type { QueryAnswer, QueryOrder } from "#app/node/threads/query-messages.ts";
import { JsonElements, JsonList, JsonPieces } from "#base/codec/index.ts";
import { settle } from "#test/helpers/admission-world.ts";
import { QUERY, queryServiceWorld, seen } from "#test/helpers/query-service-world.ts";

/** A result of 20 MiB, a list of 1 280 texts. */
function longResult(): LongResult {
  const element = `"${"a".repeat(2 ** 14 - 3)}"`;
  const list = new JsonList(function* () {
    for (let i = 0; i < 1_280; i++) yield new JsonElements(element);
  });
  return new LongResult(new JsonPieces(list), () => new Uint8Array(0));
}

/** A query thread that returns such a result for each query. */
function world() {
  const made: LongResult[] = [];
  const run = (): Promise<LongResult> => {
    const result = longResult();
    made.push(result);
    return Promise.resolve(result);
  };
  const { main } = queryServiceWorld({ run });
  /**
   * Sends an order to the thread.
   * @returns its response
   */
  const ask = async (order: QueryOrder): Promise<QueryAnswer> => {
    main.tell(order);
    await settle();
    return main.sent.at(-1) as QueryAnswer;
  };
  return { main, made, ask };
}

const REST = { kind: "rest", of: QUERY.id, id: 9, longAfterMs: null, ...seen } as const;

describe("a query thread", () => {
  test("sends a long response in chunks, by the id of the query", async () => {
    const { ask } = world();
    const start = await ask({ ...QUERY, ...seen, takesRest: true });
    expect(start.isOpen).toBe(true);
    const rest = await ask(REST);
    expect([rest.id, rest.isOpen]).toEqual([9, undefined]);
    const text = new TextDecoder().decode(Buffer.concat([start.bytes, rest.bytes]));
    expect((JSON.parse(text) as { result: [] }).result).toHaveLength(1_280);
    expect((await ask(REST)).failed).toContain("no longer available");
  });

  test("drops a long response on close", async () => {
    const { ask, main, made } = world();
    await ask({ ...QUERY, ...seen, takesRest: true });
    main.port.tell({ kind: "close", of: QUERY.id });
    expect(made.map(({ isOver }) => isOver)).toEqual([true]);
    expect((await ask(REST)).failed).toContain("no longer available");
  });

  test("sends a long response whole if the query takes no further chunks", async () => {
    const { ask } = world();
    const { bytes, isOpen } = await ask({ ...QUERY, ...seen });
    expect([bytes.byteLength > 20 * 2 ** 20 - 2_000, isOpen]).toEqual([true, undefined]);
  });
});
