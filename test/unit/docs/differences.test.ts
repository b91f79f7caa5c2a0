import { describe, expect, test } from "bun:test";
import { createMethodTables, METHODS } from "#api/rpc/index.ts";
import { OPTIONAL_PARAMETERS } from "#test/helpers/conformance/openrpc.ts";
import { DIFFERENCES } from "../../../scripts/docs-lib/data/openrpc-differences.ts";

describe("the page of differences", () => {
  test("names existing methods", () => {
    const known = METHODS.map(({ name }) => name as string);
    const named = DIFFERENCES.flatMap(({ methods }) => methods);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  test("names every optional parameter", () => {
    const [newest] = createMethodTables();
    const found = [...newest.methods.values()].flatMap(({ name, params }) =>
      params.filter(({ need }) => need !== "required").map((param) => `${name}.${param.name}`),
    );
    expect(found).toEqual(expect.arrayContaining([...OPTIONAL_PARAMETERS]));
    for (const path of found) {
      const [method = "", param = ""] = path.split(".");
      const rows = DIFFERENCES.filter(
        ({ methods, chain, openRpc }) =>
          methods.includes(method) && `${chain} ${openRpc}`.includes(`\`${param}\``),
      );
      expect({ path, rows: rows.length }).toEqual({ path, rows: 1 });
    }
  });
});
