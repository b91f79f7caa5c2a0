import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const ROOT = join(import.meta.dir, "../..");
const OXLINT = join(ROOT, "node_modules/.bin/oxlint");
const ORDER = ["low", "high"];

/** Findings of the folder order rule, as `path:line`. */
async function complaints(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  using folder = temporaryFolder();
  const config = {
    jsPlugins: [join(ROOT, "scripts/lint/plugin.js")],
    categories: { correctness: "off" },
    rules: { "house/folder-order": ["error", { folder: "src/room", order: ORDER }] },
  };
  await Bun.write(folder.file("config.json"), JSON.stringify(config));
  for (const [name, text] of Object.entries(files)) {
    await Bun.write(folder.file(`src/room/${name}`), text);
  }
  const child = Bun.spawn([OXLINT, "-c", "config.json", "--format", "unix", "."], {
    cwd: folder.path,
    stdout: "pipe",
    stderr: "pipe",
    stdin: "ignore",
  });
  const [out] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  return [...out.matchAll(/src\/room\/([^\s:]+:\d+)/g)].map(([, place = ""]) => place);
}

const value = "export const value = 1;\n";
const importing = (path: string): string => `export { value } from "${path}";\n`;

describe("the folder order rule", () => {
  test("rejects imports of higher folders and of files above the folders", async () => {
    const found = await complaints({
      "low/a.ts": `${importing("../high/b.ts")}${importing("../top.ts").replace("value", "value as top")}`,
      "high/b.ts": value,
      "top.ts": value,
    });
    expect(found.toSorted()).toEqual(["low/a.ts:1", "low/a.ts:2"]);
  });

  test("accepts imports of lower folders, of the same folder, and any from above the folders", async () => {
    const found = await complaints({
      "low/a.ts": value,
      "low/deeper/c.ts": importing("../a.ts"),
      "high/b.ts": importing("../low/deeper/c.ts"),
      "top.ts": importing("./high/b.ts"),
    });
    expect(found).toEqual([]);
  });

  test("lets a thread entry import every folder, and rejects imports of the entry", async () => {
    const found = await complaints({
      "low/work.thread.ts": importing("../high/b.ts"),
      "high/b.ts": value,
      "high/c.ts": importing("../low/work.thread.ts"),
    });
    expect(found).toEqual(["high/c.ts:1"]);
  });

  test("rejects a folder that is missing from the order", async () => {
    expect(await complaints({ "other/a.ts": value })).toEqual(["other/a.ts:1"]);
  });
});
