/**
 * Writes the tables of README.md from the tables that the program runs by. With `--check` it writes
 * nothing and exits with 1 when they differ.
 */
import { join } from "node:path";
import { levelTable } from "./docs-lib/architecture.ts";
import { rpcTable, statusLines } from "./docs-lib/interface.ts";
import { fillSections } from "./docs-lib/markdown.ts";
import { cliTables, configTable, metricsTable } from "./docs-lib/operation.ts";

const README = join(import.meta.dir, "../README.md");

/** The text as the formatter leaves it. */
async function formatted(text: string): Promise<string> {
  const formatter = Bun.spawn([process.execPath, "fmt", "--stdin-filepath=README.md"], {
    cwd: join(import.meta.dir, ".."),
    stdin: Buffer.from(text),
    stdout: "pipe",
    stderr: "inherit",
  });
  const output = await new Response(formatter.stdout).text();
  if ((await formatter.exited) !== 0) process.exit(1);
  return output;
}

const metrics = await metricsTable();
const before = await Bun.file(README).text();
const after = await formatted(
  fillSections(before, {
    status: statusLines,
    cli: cliTables,
    config: configTable,
    rpc: rpcTable,
    metrics: () => metrics,
    levels: levelTable,
  }),
);

if (!process.argv.includes("--check")) {
  await Bun.write(README, after);
} else if (before !== after) {
  process.stderr.write(
    "README.md does not match the program's tables: run `bun scripts/docs.ts`\n",
  );
  process.exit(1);
}
