/**
 * Builds `dist/appchain`, one self-contained executable: program, workers, kernels, presets,
 * protocol constants and contract artifacts. Then checks that it starts.
 *
 * The output name is fixed, because it is part of the bundle: the same sources at the same commit give the same
 * bytes. Without a repository, as in an image's build, `APPCHAIN_COMMIT` in the environment may name the commit.
 *
 * The executable contains its source maps, so that traces name sources wherever it runs. `dist/maps` has a
 * copy, for debuggers and profilers.
 */
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { commitOfText, commitText } from "#app/cli/version/commit.ts";
import { treeCommit } from "#app/cli/version/tree-commit.ts";
import manifest from "../package.json";

const ROOT = join(import.meta.dir, "..");
const FOLDER = join(ROOT, "dist");
const OUTPUT = join(FOLDER, "appchain");
const MAPS = join(FOLDER, "maps");

const mapsIn = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => name.endsWith(".map"));

/** Entries of threads: nobody imports them. */
const workers = [
  ...new Bun.Glob("src/app/{node,cli}/**/*.thread.ts").scanSync({ cwd: ROOT }),
].toSorted();

const commit = treeCommit(ROOT) ?? commitOfText(process.env["APPCHAIN_COMMIT"] ?? "");

rmSync(MAPS, { recursive: true, force: true });
mkdirSync(MAPS, { recursive: true });
// The names of chunks change with each build: delete those of earlier builds.
for (const name of mapsIn(FOLDER)) rmSync(join(FOLDER, name));
const build = Bun.spawnSync(
  [
    process.execPath,
    "build",
    "--compile",
    "--bytecode",
    "--format=esm",
    "--splitting",
    "--sourcemap",
    // A foreign bunfig.toml or .env in the current folder must not reach this program.
    "--no-compile-autoload-bunfig",
    "--no-compile-autoload-dotenv",
    "--define",
    `APPCHAIN_VERSION=${JSON.stringify(manifest.version)}`,
    "--define",
    `APPCHAIN_COMMIT=${JSON.stringify(commitText(commit))}`,
    "bin/appchain.ts",
    ...workers,
    "--outfile",
    OUTPUT,
  ],
  { cwd: ROOT, stdout: "inherit", stderr: "inherit" },
);
if (build.exitCode !== 0) process.exit(build.exitCode);
for (const name of mapsIn(FOLDER)) renameSync(join(FOLDER, name), join(MAPS, name));

const version = Bun.spawnSync([OUTPUT, "--version"], { cwd: "/", stderr: "inherit" });
const printed = version.stdout.toString().trim();
if (version.exitCode !== 0 || !printed.includes(manifest.version)) {
  process.stderr.write(`dist/appchain --version printed: ${printed}\n`);
  process.exit(1);
}
const sizeMiB = (Bun.file(OUTPUT).size / 2 ** 20).toFixed(0);
console.log(`dist/appchain ${manifest.version}, ${sizeMiB} MiB`);
