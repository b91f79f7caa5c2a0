/**
 * Prints the version and its unreleased changes; with `--check` checks `CHANGELOG.md` and `package.json`; with
 * a version, or the part of it to raise, cuts that version: moves the unreleased entries under it, adds a row
 * to the table of versions and sets `package.json`. Ends with 1 when the check fails or the version cannot be
 * cut, and with 2 for wrong arguments.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../package.json";
import { gitOf } from "./test-lib/git.ts";
import { parseVersionArguments, USAGE } from "./version-lib/arguments.ts";
import { rowsOf, sectionsOf } from "./version-lib/changelog.ts";
import { problemsOf } from "./version-lib/check.ts";
import { parseNumber, raised, type VersionNumber } from "./version-lib/number.ts";
import { refusalOf, released } from "./version-lib/release.ts";

const ROOT = join(import.meta.dir, "..");
const CHANGELOG = join(ROOT, "CHANGELOG.md");
const MANIFEST = join(ROOT, "package.json");

function fail(code: number, ...lines: readonly string[]): never {
  process.stderr.write(lines.map((line) => `${line}\n`).join(""));
  process.exit(code);
}

function show(changelog: string): void {
  const sections = sectionsOf(changelog);
  const [row] = rowsOf(sections);
  const cut = row === undefined ? "" : ` of ${row.date}, up to commit ${row.commit}`;
  const lines = sections[0]?.lines.map(({ text }) => text) ?? [];
  const title = lines.length === 0 ? "Nothing is unreleased." : "Unreleased:";
  console.log([`appchain ${manifest.version}${cut}`, "", title, ...lines].join("\n"));
}

async function cut(changelog: string, number: VersionNumber): Promise<void> {
  const git = gitOf(ROOT);
  const release = { number, date: new Date().toISOString().slice(0, 10), commit: git.head() };
  const input = {
    changelog,
    manifest: readFileSync(MANIFEST, "utf8"),
    packageVersion: manifest.version,
    isClean: git.isClean(),
  };
  const refusal = refusalOf(input, release);
  if (refusal !== undefined) fail(1, `version: ${refusal}`);
  const files = released(input, release);
  await Bun.write(CHANGELOG, files.changelog);
  await Bun.write(MANIFEST, files.manifest);
  const version = number.join(".");
  console.log(`CHANGELOG.md and package.json have version ${version}. Review and commit them:`);
  console.log(`git commit --all --message "chore(release): cut version ${version}"`);
}

const request = parseVersionArguments(process.argv.slice(2)) ?? fail(2, USAGE);
const changelog = readFileSync(CHANGELOG, "utf8");
if (request.kind === "show") show(changelog);
else {
  const problems = problemsOf(changelog, manifest.version);
  if (problems.length > 0) fail(1, ...problems);
  const current = parseNumber(manifest.version) ?? [0, 0, 0];
  if (request.kind === "set") await cut(changelog, request.number);
  if (request.kind === "raise") await cut(changelog, raised(current, request.step));
}
