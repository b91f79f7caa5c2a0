/**
 * Fetches the public files that `fixtures-lib/manifest.txt` lists, each at a commit and with a checksum,
 * into `../shared/fixtures` next to the repository or the folder that `FIXTURES` names. Valid files stay;
 * invalid ones are fetched again; a file appears only when it is complete and valid. Other files of the
 * folder are not touched. The script may be stopped at any moment and started again.
 *
 * `--check` fetches nothing. `--mirror URL` (http, https or file) replaces GitHub, with the addresses
 * `URL/<repository>/<commit>/<path>`; `--manifest FILE` lists other files. Exits with 1 when a file is
 * missing or invalid at the end.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { DecodeError } from "#base/errors/index.ts";
import { fetchFixtures } from "./fixtures-lib/fetch-fixtures.ts";
import { GITHUB } from "./fixtures-lib/download.ts";
import { type FixtureFile, parseManifest } from "./fixtures-lib/manifest.ts";

const MANIFEST = join(import.meta.dir, "fixtures-lib/manifest.txt");
const FOLDER = resolve(process.env["FIXTURES"] ?? join(import.meta.dir, "../../shared/fixtures"));

function fail(code: number, message: string): never {
  process.stderr.write(`scripts/fixtures: ${message}\n`);
  process.exit(code);
}

/** Options of the command line. */
interface Options {
  readonly check: boolean;
  readonly mirror: string;
  readonly manifest: string;
}

function optionsOf(args: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        check: { type: "boolean", default: false },
        mirror: { type: "string", default: GITHUB },
        manifest: { type: "string", default: MANIFEST },
      },
      strict: true,
    });
    if (/^(?:https?|file):\/\/./.test(values.mirror)) return values;
    return fail(2, "--mirror takes an http, https or file URL");
  } catch {
    return fail(2, `usage: scripts/fixtures [--check] [--mirror URL] [--manifest FILE]`);
  }
}

function filesOf(manifest: string): readonly FixtureFile[] {
  if (!existsSync(manifest)) return fail(1, `${manifest}: file not found`);
  try {
    return parseManifest(readFileSync(manifest, "utf8"));
  } catch (error) {
    if (error instanceof DecodeError) return fail(1, `${manifest}: ${error.message}`);
    throw error;
  }
}

const { check, mirror, manifest } = optionsOf(process.argv.slice(2));
const files = filesOf(manifest);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
const { there, fetched, failures } = await fetchFixtures(files, {
  folder: FOLDER,
  mirror: check ? null : mirror,
  signal: stop.signal,
  timeoutMs: 120_000,
  tries: 3,
  pauseMs: 1000,
});
for (const { to, reason } of failures) process.stderr.write(`${to}: ${reason}\n`);
const untried = files.length - there - fetched - failures.length;
process.stdout.write(
  `${FOLDER}: ${there} files were there, ${fetched} fetched, ${failures.length} failed, ${untried} not tried\n`,
);
process.exit(failures.length + untried === 0 ? 0 : 1);
