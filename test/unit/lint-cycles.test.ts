import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { lintConfig } from "../../scripts/lint/config.ts";

const OXLINT = join(import.meta.dir, "../../node_modules/.bin/oxlint");

/** Output of oxlint on these files with only the import cycle rule. */
async function lint(files: Readonly<Record<string, string>>): Promise<string> {
  using folder = temporaryFolder();
  const { rules } = lintConfig() as { readonly rules: Readonly<Record<string, unknown>> };
  const config = {
    plugins: ["import"],
    categories: { correctness: "off" },
    rules: { "import/no-cycle": rules["import/no-cycle"] },
  };
  await Bun.write(folder.file("config.json"), JSON.stringify(config));
  await Bun.write(folder.file("package.json"), JSON.stringify({ imports: { "#here/*": "./*" } }));
  for (const [name, text] of Object.entries(files)) await Bun.write(folder.file(name), text);
  const child = Bun.spawn([OXLINT, "-c", "config.json", "--format", "unix", "."], {
    cwd: folder.path,
    stdout: "pipe",
    stderr: "pipe",
    stdin: "ignore",
  });
  const [out, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  expect(code === 0).toBe(!out.includes("Dependency cycle"));
  return out;
}

describe("the import cycle rule", () => {
  test("rejects cycles of values", async () => {
    const found = await lint({
      "a.ts": 'import { b } from "./b.ts";\nexport const a = () => b;\n',
      "b.ts": 'import { a } from "./a.ts";\nexport const b = () => a;\n',
    });
    expect(found).toContain("a.ts:1");
    expect(found).toContain("b.ts:1");
  });

  test("rejects cycles of types", async () => {
    const found = await lint({
      "a.ts": 'import type { B } from "./b.ts";\nexport interface A { readonly b: B }\n',
      "b.ts": 'import type { A } from "./a.ts";\nexport interface B { readonly a: A | null }\n',
    });
    expect(found).toContain("a.ts:1");
    expect(found).toContain("b.ts:1");
  });

  test("rejects cycles of three files through an alias and a re-export", async () => {
    const found = await lint({
      "a.ts": 'import type { B } from "#here/index.ts";\nexport interface A { readonly b: B }\n',
      "b.ts": 'import type { A } from "./a.ts";\nexport interface B { readonly a: A | null }\n',
      "index.ts": 'export type { B } from "./b.ts";\n',
    });
    expect(found).toContain("a.ts:1");
  });

  test("accepts imports without a cycle", async () => {
    const found = await lint({
      "a.ts": 'import type { B } from "./b.ts";\nexport interface A { readonly b: B }\n',
      "b.ts": "export interface B { readonly size: number }\n",
    });
    expect(found).not.toContain("Dependency cycle");
  });
});
