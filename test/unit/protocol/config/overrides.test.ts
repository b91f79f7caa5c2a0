import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { stringify } from "yaml";
import { applyOverrides, parseOverrides, refuseDuplicates } from "#protocol/config/overrides.ts";
import type { ConfigNode } from "#protocol/config/tree.ts";
import { parseConfigTree } from "#protocol/config/yaml-tree.ts";
import { ConfigError } from "#base/errors/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

const parsed = (...list: string[]): string[] =>
  parseOverrides(list).map(({ path, text }) => `${path.join("/")} -> ${text}`);

function scalarAt(tree: ConfigNode, ...path: readonly string[]): unknown {
  let node: ConfigNode | undefined = tree;
  for (const name of path) node = node?.kind === "map" ? node.entries.get(name)?.node : undefined;
  return node?.kind === "scalar" ? node.value : node?.kind;
}

function issuesOf(run: () => unknown): readonly string[] {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigError) return error.issues.map(({ path }) => path);
    throw error;
  }
  return [];
}

describe("parseOverrides", () => {
  test("splits single assignments, several arguments and comma lists", () => {
    expect(parsed("a=1", "b=2,c.d=3")).toEqual(["a -> 1", "b -> 2", "c/d -> 3"]);
  });

  test("keeps a comma in the value if no assignment follows", () => {
    expect(parsed("chain_name=Foo, Bar,block_time=5s")).toEqual([
      "chain_name -> Foo, Bar",
      "block_time -> 5s",
    ]);
  });

  test("keeps commas in brackets and quotes", () => {
    expect(parsed('a={x: 1, y: "p,q=3"},b=[1, c=2],d="e,f=1"')).toEqual([
      'a -> {x: 1, y: "p,q=3"}',
      "b -> [1, c=2]",
      'd -> "e,f=1"',
    ]);
  });

  test("does not treat an apostrophe inside a word as a quote", () => {
    expect(parsed("chain_name=Bob's,block_time=5s")).toEqual([
      "chain_name -> Bob's",
      "block_time -> 5s",
    ]);
  });

  test("accepts values that contain an equals sign or are empty", () => {
    expect(parsed("gateway_url=http://x?a=b", "genesis=")).toEqual([
      "gateway_url -> http://x?a=b",
      "genesis -> ",
    ]);
  });

  test("names arguments that are not assignments or not overridable", () => {
    expect(
      issuesOf(() => parsed("foo", "versioned_constants=1", "l1_messages_finality_blocks=3", "=1")),
    ).toEqual(["foo", "versioned_constants", "l1_messages_finality_blocks", "=1"]);
  });

  test("splits any assignments joined by commas", () => {
    const name = fc.stringMatching(/^[a-z][a-z_]{0,8}(\.[a-z]{1,5})?$/);
    const value = fc.oneof(
      fc.stringMatching(/^[A-Za-z0-9 ]{0,10}$/),
      fc.array(fc.nat(99), { maxLength: 4 }).map((list) => `[${list.join(",")}]`),
      fc.string().map((text) => JSON.stringify(text)),
    );
    assertProperty(
      fc.property(fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 5 }), (pairs) => {
        const text = pairs.map(([key, content]) => `${key}=${content}`).join(",");
        expect(parseOverrides([text])).toEqual(
          pairs.map(([key, content]) => ({
            path: key.split("."),
            text: content.trim(),
            from: "--chain-config-override",
          })),
        );
      }),
    );
  });
});

describe("applyOverrides", () => {
  const tree = parseConfigTree("a: 1\nb:\n  c: 2\n  d: 3\n");

  test("replaces values at any depth and keeps the others", () => {
    const result = applyOverrides(tree, parseOverrides(["b.c=18446744073709551615", "e.f=x"]));
    expect(scalarAt(result, "b", "c")).toBe(18446744073709551615n);
    expect(scalarAt(result, "b", "d")).toBe(3n);
    expect(scalarAt(result, "e", "f")).toBe("x");
  });

  test("rejects two values for one path, naming both options", () => {
    const doubles = (...list: string[]): readonly string[] =>
      issuesOf(() => refuseDuplicates(parseOverrides(list)));
    expect(doubles("a=5", "a=6")).toEqual(["a"]);
    expect(doubles("b.c=5,b={c: 6}", "e=1")).toEqual(["b"]);
    expect(doubles("b={c: 6}", "b.c.d=5")).toEqual(["b.c.d"]);
    expect(doubles("b.c=5,b.d=6", "b_c=1", "a=2")).toEqual([]);
    const byTwo = [...parseOverrides(["a=5"]), { path: ["a"], text: "1", from: "--other" }];
    expect(() => refuseDuplicates(byTwo)).toThrow(
      expect.objectContaining({
        issues: [
          {
            path: "a",
            line: 0,
            message: "is set twice, by --chain-config-override and by --other",
          },
        ],
      }),
    );
  });

  test("parses values as YAML", () => {
    const result = applyOverrides(tree, parseOverrides(["a=true", "b={x: 0x10}"]));
    expect([scalarAt(result, "a"), scalarAt(result, "b", "x")]).toEqual([true, 16n]);
  });

  test("names values that are invalid YAML", () => {
    expect(issuesOf(() => applyOverrides(tree, parseOverrides(["b.c={x", "a=[1"])))).toEqual([
      "b.c",
      "a",
    ]);
  });

  test("keeps any text as a quoted value", () => {
    assertProperty(
      fc.property(fc.string(), (text) => {
        const value = stringify(text, { defaultStringType: "QUOTE_DOUBLE", lineWidth: 0 }).trim();
        expect(scalarAt(applyOverrides(tree, parseOverrides([`a=${value}`])), "a")).toBe(text);
      }),
    );
  });
});
