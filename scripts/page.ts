/**
 * Builds the explorer's page (`src/api/explorer/page`) into `src/api/explorer/assets/page.generated.ts`, from which the
 * program serves it. Does nothing if that file was built from the present sources.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeAtomically } from "./kernels-lib/write.ts";

const ROOT = join(import.meta.dir, "..");
const PAGE = join(ROOT, "src/api/explorer/page");
const OUTPUT = join(ROOT, "src/api/explorer/assets/page.generated.ts");

/** Result of {@link buildPage}. */
export interface PageBuild {
  readonly outcome: "built" | "unchanged" | "failed";
  /** What the bundler refused; empty unless the build failed. */
  readonly reason: string;
}

/** Builds the page if its sources changed. */
export async function buildPage(): Promise<PageBuild> {
  const stamp = `// Built from ${sourceHash()}.`;
  if (existsSync(OUTPUT) && readFileSync(OUTPUT, "utf8").startsWith(stamp)) {
    return { outcome: "unchanged", reason: "" };
  }
  const built = await Bun.build({
    entrypoints: [join(PAGE, "main.tsx"), join(PAGE, "style/app.css")],
    target: "browser",
    minify: true,
    // Otherwise the page carries the runtime of development, and its warnings.
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    tsconfig: join(PAGE, "tsconfig.json"),
    throw: false,
  });
  if (!built.success) return { outcome: "failed", reason: built.logs.map(String).join("\n") };
  const textOf = async (ending: string): Promise<string> =>
    (await built.outputs.find(({ path }) => path.endsWith(ending))?.text()) ?? "";
  const files = {
    "index.html": readFileSync(join(PAGE, "index.html"), "utf8"),
    "icon.svg": readFileSync(join(PAGE, "icon.svg"), "utf8"),
    "app.js": await textOf(".js"),
    "app.css": await textOf(".css"),
  };
  const source = [
    stamp,
    "/** Files of the explorer's page by name, as text. */",
    `export const PAGE_FILES: Readonly<Record<string, string>> = ${JSON.stringify(files, null, 2)};`,
    "",
  ].join("\n");
  writeAtomically(OUTPUT, source);
  return { outcome: "built", reason: "" };
}

/** Hash of the sources, of this script and of the versions of all packages. */
function sourceHash(): string {
  const hasher = new Bun.CryptoHasher("sha256");
  const sources = [...new Bun.Glob("**/*").scanSync({ cwd: PAGE })].toSorted();
  for (const path of [
    ...sources.map((name) => join(PAGE, name)),
    import.meta.path,
    join(ROOT, "bun.lock"),
  ]) {
    hasher.update(`${path.slice(ROOT.length)}\n`);
    hasher.update(readFileSync(path));
  }
  return hasher.digest("hex").slice(0, 32);
}
