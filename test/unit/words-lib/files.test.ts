import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { filesBelow, hitsOfFile, proseFiles } from "../../../scripts/words-lib/files.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

async function write(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    await Bun.write(join(root, path), text);
  }
}

test("proseFiles lists sources and pages, and nothing that is generated or installed", async () => {
  using folder = temporaryFolder();
  const listed = [
    ...["README.md", "bin/a.ts", "contracts/l1/a.ts", "docs/a.md", "scripts/a-lib/a.ts"],
    ...["src/io/README.md", "src/io/a.ts", "test/unit/a.test.ts"],
  ];
  const others = [
    ...["a.ts", "docs/a.ts", "src/a.generated.ts", "src/a.json", "src/kernels/vm/build/a.ts"],
    "test/clients/node_modules/a.ts",
  ];
  await write(folder.path, Object.fromEntries([...listed, ...others].map((path) => [path, ""])));
  expect(proseFiles(folder.path)).toEqual(listed);
});

test("filesBelow accepts files and folders, and no path that does not exist", async () => {
  using folder = temporaryFolder();
  await write(folder.path, { "src/a.ts": "", "src/b.json": "", "srcs/a.ts": "" });
  const files = proseFiles(folder.path);
  expect(filesBelow(folder.path, ["src/a.ts", "srcs/a.ts"], "src/")).toEqual(["src/a.ts"]);
  expect(filesBelow(folder.path, files, "src/a.ts")).toEqual(["src/a.ts"]);
  expect(filesBelow(folder.path, files, ".")).toEqual(["src/a.ts"]);
  expect(filesBelow(folder.path, files, "src/b.json")).toEqual([]);
  expect(filesBelow(folder.path, files, "src/c.ts")).toBeUndefined();
});

describe("hitsOfFile", () => {
  test.each([
    ["src/a.ts", '// anew\nconst a = "whoever";\n', [1]],
    ["docs/a.md", "anew\n\n```\nwhoever\n```\n", [1]],
    ["CHANGELOG.md", "## Unreleased\n\n- anew\n\n## 0.1.0\n\n- whoever\n", [3]],
  ])("reads the prose of %s", async (path, text, lines) => {
    using folder = temporaryFolder();
    await write(folder.path, { [path]: text });
    expect(hitsOfFile(folder.path, path).map(({ line }) => line)).toEqual(lines);
  });
});
