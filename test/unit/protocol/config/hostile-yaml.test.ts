import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { chainConfigRows } from "#protocol/config/documentation.ts";
import { loadChainConfig } from "#protocol/config/index.ts";
import { parseConfigTree } from "#protocol/config/yaml-tree.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { findingsOf, SMALL } from "./findings.ts";

/** Share of the largest texts that is used. */
const PART = bySize({ quick: 0.2, full: 1 });

/** Time limit that reveals superlinear work. */
const BOUND_MS = 50_000;

describe("YAML features", () => {
  test("a second document is rejected", async () => {
    expect(await findingsOf(`${SMALL}---\nchain_id: OTHER\n`)).toEqual([
      "6 : expected one document, but `---` begins another",
    ]);
  });

  test("document markers are accepted", async () => {
    expect(await findingsOf(`---\n${SMALL}...\n`)).toEqual([]);
    expect(await findingsOf(`\ufeff%YAML 1.2\n---\n${SMALL}`)).toEqual([]);
  });

  test("tags of keys, scalars, lists and mappings are rejected with their position", async () => {
    const text = SMALL.replace("Small", "!!js/function 'return 1'").replace(
      '"0x30"',
      '!!str "0x30"',
    );
    const found = await findingsOf(
      `${text}genesis: !mine\n  !!str classes: !!seq []\nblock_time: ! 3s\n`,
    );
    const tagged = (tag: string): string =>
      `expected a value without a tag, got ${tag}: write it plainly`;
    expect(found).toEqual([
      `1 chain_name: ${tagged("!!js/function")}`,
      `5 sequencer_address: ${tagged("!!str")}`,
      `7 genesis: ${tagged("!mine")}`,
      `7 genesis.classes: ${tagged("!!str")}`,
      `8 block_time: ${tagged("!")}`,
    ]);
  });

  test("YAML 1.1, which reads yes, 010 and 1:30 differently, is rejected", async () => {
    expect(await findingsOf(`%YAML 1.1\n---\n${SMALL}`)).toEqual([
      "1 : expected YAML 1.2, got %YAML 1.1",
    ]);
    expect(await findingsOf(`%OTHER x\n---\n${SMALL}`)).toEqual(["1 : Unknown directive %OTHER"]);
  });

  test("keys that are not plain names are rejected", async () => {
    for (const key of ["? [a, b]\n", "? {a: 1}\n", '"" ', "", "*x "]) {
      const found = await findingsOf(`${SMALL.replace("Small", "&x Small")}${key}: 1\n`);
      expect(found).toHaveLength(1);
      expect(found[0]).toStartWith("6 : expected every member to have a plain name");
    }
  });

  test("aliases refer to the last anchor before them", async () => {
    const text = SMALL.replace('"0x10"', '&x "0x10"').replace('"0x20"', '&x "0x20"');
    const { config } = await loadChainConfig({
      text: text.replace('"0x30"', "*x"),
      role: "sequencer",
    });
    expect(config.sequencerAddress).toBe(0x20n);
    expect(await findingsOf(SMALL.replace("Small", "*y").replace("SMALL", "&y SMALL"))).toEqual([
      "1 chain_name: the alias *y has no anchor before it",
    ]);
    const again = `a: &a [&b 0x1, *b]\nb: &b 0x2\nc: *a\nd: *b\n`;
    const tree = parseConfigTree(again);
    const last = tree.kind === "map" ? tree.entries.get("d")?.node : undefined;
    expect(last).toEqual({ kind: "scalar", line: 2, value: 2n, source: "0x2" });
  });

  test("merge keys are not supported", async () => {
    expect(await findingsOf(`${SMALL}<<: {block_time: 5s}\n`)).toEqual([
      expect.stringContaining("6 <<: unknown field"),
    ]);
  });

  test("repeated keys are found at every depth, in addition to other errors", async () => {
    const found = await findingsOf(
      `${SMALL}chain_id: B\nbouncer_config:\n  block_max_capacity:\n    n_txs: 1\n    "n_txs": 2\n    n_events: none\n`,
    );
    expect(found.map((line) => line.slice(0, line.indexOf(":")))).toEqual([
      "6 chain_id",
      "10 bouncer_config.block_max_capacity.n_txs",
      "11 bouncer_config.block_max_capacity.n_events",
    ]);
  });
});

describe("hostile YAML", () => {
  const cases: Readonly<Record<string, () => string>> = {
    "aliases of aliases": () => {
      let text = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n";
      for (let i = 1; i < 30; i++) text += `a${i}: &a${i} [${`*a${i - 1},`.repeat(9)}]\n`;
      return text;
    },
    "one large list that is often repeated": () =>
      `a: &a [${"x,".repeat(50_000 * PART)}]\n${Array.from({ length: 900 }, (_, i) => `b${i}: *a`).join("\n")}`,
    "one small value that is often repeated": () => `a: &a 1\nb: [${"*a,".repeat(200_000 * PART)}]`,
    "an alias inside of itself": () => "a: &a [*a, *a]\n",
    "deep nesting of lists": () => `a: ${"[".repeat(100_000 * PART)}`,
    "deep nesting of mappings": () => `a: ${"{a: ".repeat(50_000 * PART)}`,
    "a number of a million digits": () => `block_time: ${"9".repeat(1_000_000)}`,
    "a hex number of a million digits": () => `block_time: 0x${"f".repeat(1_000_000)}`,
    "many unknown fields": () =>
      Array.from({ length: 50_000 * PART }, (_, i) => `f${i}: 1`).join("\n"),
    "a name of a megabyte": () => `? "${"n".repeat(1_000_000)}"\n: 1\n${SMALL}`,
    "a value of a megabyte": () => `block_time: ${"n".repeat(1_000_000)}\n${SMALL}`,
    "many equal names": () => "a: 1\n".repeat(50_000 * PART),
  };
  for (const [name, make] of Object.entries(cases)) {
    test(
      `${name} is rejected quickly and with a short message`,
      async () => {
        const found = await findingsOf(make());
        expect(found.length).toBeGreaterThan(0);
        expect(found.length).toBeLessThanOrEqual(100);
      },
      BOUND_MS,
    );
  }

  test("configuration errors beyond the listed ones are counted", async () => {
    const text = Array.from({ length: 500 }, (_, i) => `f${i}: 1`).join("\n");
    expect(loadChainConfig({ text, role: "full" })).rejects.toThrow(
      "configuration: 505 problems, the first 100 of them",
    );
  });

  test("an endless file is rejected", () => {
    expect(loadChainConfig({ path: "/dev/zero", role: "full" })).rejects.toThrow(
      "/dev/zero is longer than 64 MiB",
    );
  });

  test("a folder and a binary file are rejected", () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("x.yaml"), new Uint8Array([0x61, 0xff, 0xfe]));
    expect(loadChainConfig({ path: folder.file("x.yaml"), role: "full" })).rejects.toThrow(
      "x.yaml is not UTF-8 text",
    );
    expect(loadChainConfig({ path: folder.path, role: "full" })).rejects.toThrow("(EISDIR)");
  });
});

describe("values of a wrong type", () => {
  const FIELDS = chainConfigRows().map(({ name }) => name);
  const WRONG = ["[]", "{a: 1}", '"\\e[31m"', "-1", "1e999", ".nan", '"\\u202e"', "{}", "[[1]]"];
  /** Fields that accept the value: numbers are valid text, and mappings may rely on defaults. */
  const RIGHT: Readonly<Record<string, readonly string[]>> = {
    "-1": ["chain_name"],
    "1e999": ["chain_name", "chain_id"],
    ".nan": ["chain_name"],
    "{}": ["versioned_constants", "block_production_concurrency", "genesis"],
  };

  for (const wrong of WRONG) {
    test(`${wrong} is rejected in all fields, each with line and path`, async () => {
      const fields = FIELDS.filter((name) => !RIGHT[wrong]?.includes(name));
      const found = await findingsOf(fields.map((name) => `${name}: ${wrong}`).join("\n"));
      const lines = new Set(found.map((line) => line.slice(0, line.indexOf(" "))));
      expect(lines).toEqual(new Set(fields.map((_, i) => String(i + 1))));
    });
  }
});
