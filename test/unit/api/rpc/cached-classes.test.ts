import { describe, expect, test } from "bun:test";
import { type JsonValue, stringifyJson } from "#base/codec/index.ts";
import { createMethodTables, type QueryPool } from "#api/rpc/index.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { dispatcherOf, notesOf } from "#test/helpers/serving.ts";

const [newest] = createMethodTables();

describe("cached class responses", () => {
  const world = () => {
    const queries: string[] = [];
    const queryPool: QueryPool = {
      run: async (_version, method, paramsText) => {
        queries.push(paramsText);
        return new TextEncoder().encode(`{"result":"${method} ${paramsText.replaceAll('"', "")}"}`);
      },
    };
    const context = sampleContext();
    let oldest = 0;
    const chain = { ...context.chain, oldestStateBlock: () => oldest };
    const dispatcher = dispatcherOf({ ...context, chain }, { queryPool });
    const ask = (method: string, params: readonly JsonValue[]) =>
      dispatcher.handle(
        stringifyJson({ jsonrpc: "2.0", id: 1, method: `starknet_${method}`, params }),
        newest,
        notesOf(),
      );
    return { queries, ask, prune: () => (oldest = 2) };
  };

  test.each(["getClass", "getClassAt"])(
    "are queried once per block and class by %s",
    async (name) => {
      const { queries, ask } = world();
      for (let round = 0; round < 3; round++) {
        for (const block of ["latest", { block_number: 0 }]) {
          for (const hash of ["0x1", "0x2"]) await ask(name, [block, hash]);
        }
        await ask(name, [{ block_number: 1 }, "0x01"]);
      }
      expect(queries).toHaveLength(4);
    },
  );

  test("are not served for a block whose state has been pruned", async () => {
    const { queries, ask, prune } = world();
    await ask("getClass", ["latest", "0x1"]);
    prune();
    await ask("getClass", ["latest", "0x1"]);
    expect(queries).toHaveLength(2);
  });

  test("keep classes by hash and by address apart", async () => {
    const { ask } = world();
    const [byHash, byAddress] = [
      await ask("getClass", ["latest", "0x1"]),
      await ask("getClassAt", ["latest", "0x1"]),
    ];
    expect(byHash).not.toEqual(byAddress);
  });
});
