/**
 * Builds `dist/appchain`, one self-contained executable: program, workers, kernels, presets,
 * protocol constants and contract artifacts. Then tries that it starts.
 *
 * The output name is fixed: it is part of the bundle, so that the same sources give the same bytes.
 */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import manifest from "../package.json";

const ROOT = join(import.meta.dir, "..");
const OUTPUT = join(ROOT, "dist/appchain");

const workers = ["src/app/node/threads", "src/app/cli/class"].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(".thread.ts"))
    .sort()
    .map((name) => `${folder}/${name}`),
);

mkdirSync(join(ROOT, "dist"), { recursive: true });
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
    "bin/appchain.ts",
    ...workers,
    "--outfile",
    OUTPUT,
  ],
  { cwd: ROOT, stdout: "inherit", stderr: "inherit" },
);
if (build.exitCode !== 0) process.exit(build.exitCode);

const version = Bun.spawnSync([OUTPUT, "--version"], { cwd: "/", stderr: "inherit" });
const printed = version.stdout.toString().trim();
if (version.exitCode !== 0 || !printed.includes(manifest.version)) {
  process.stderr.write(`dist/appchain --version printed: ${printed}\n`);
  process.exit(1);
}
const sizeMiB = (Bun.file(OUTPUT).size / 2 ** 20).toFixed(0);
console.log(`dist/appchain ${manifest.version}, ${sizeMiB} MiB`);
