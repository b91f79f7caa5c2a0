/**
 * Adds a protocol version from its public constants file, as the difference to the newest known one:
 * `scripts/constants --add FILE [--version V]`. The default of V comes from the file's name
 * (`..._0_14_5.json`). Without arguments it only rewrites the list of versions, for use after a file
 * was removed or renamed by hand.
 */
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { AppError } from "#base/errors/index.ts";
import { versionIndex } from "./constants-lib/version-index.ts";

const DATA = join(import.meta.dir, "../src/protocol/versions/data");

function fail(message: string): never {
  process.stderr.write(`scripts/constants: ${message}\n`);
  process.exit(2);
}

function versionOf(path: string): string {
  const found = /(\d+(?:_\d+){1,3})\.json$/.exec(basename(path))?.[1];
  return found?.replaceAll("_", ".") ?? fail(`${path} names no version: give it with --version`);
}

async function writeIndex(): Promise<void> {
  const versions = readdirSync(DATA)
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length));
  await Bun.write(join(DATA, "index.ts"), versionIndex(versions));
}

async function add(path: string, version: string): Promise<void> {
  if (!existsSync(path)) fail(`${path}: file not found`);
  // Loads every version file, so the list of files must be right by then.
  const { versionFileOf } = await import("./constants-lib/add-version.ts");
  const file = join(DATA, `${version}.json`);
  try {
    await Bun.write(file, await versionFileOf(path, version));
  } catch (error) {
    if (error instanceof AppError) fail(`${path}: ${error.message}`);
    throw error;
  }
  process.stdout.write(`${file}\n`);
}

const { values } = parseArgs({
  options: { add: { type: "string" }, version: { type: "string" } },
  strict: true,
});
await writeIndex();
if (values.add !== undefined) {
  await add(values.add, values.version ?? versionOf(values.add));
  await writeIndex();
}
