/**
 * Writes the pages and pictures of `docs/` that are generated from tables of the program. With `--check` it writes
 * nothing, and exits with 1 when a page differs or no longer has a generator.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GENERATED, pageText } from "./docs-lib/page.ts";
import { PAGES } from "./docs-lib/pages.ts";
import { PICTURES } from "./docs-lib/pictures.ts";

const DOCS = join(import.meta.dir, "../docs");
const isCheck = process.argv.includes("--check");

/** Text of a page's file; empty if the file does not exist. */
function written(file: string): string {
  const path = join(DOCS, file);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

const stale: string[] = [];

/** Writes a file whose text has changed; with `--check` only notes its name. */
async function update(file: string, text: string): Promise<void> {
  if (text === written(file)) return;
  if (isCheck) stale.push(file);
  else await Bun.write(join(DOCS, file), text);
}

for (const page of PAGES) await update(page.file, await pageText(page));
for (const { file, svg } of PICTURES) await update(file, svg());
for (const file of readdirSync(DOCS).filter((name) => name.endsWith(".md"))) {
  const isMade = PAGES.some((page) => page.file === file);
  if (!isMade && written(file).includes(GENERATED)) stale.push(file);
}
if (stale.length > 0) {
  const list = stale.map((file) => `docs/${file}`).join(", ");
  process.stderr.write(`${list}: differs from the program's tables. Run bun scripts/docs.ts`);
  process.stderr.write("; delete a page without a generator.\n");
  process.exit(1);
}
