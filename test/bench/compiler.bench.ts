/**
 * Seconds that the compiler from Sierra to CASM takes: the first compilation of a new process, and
 * the median of later ones; and the reference compiler, if `REFERENCE_COMPILER` is its path, as a
 * process from start to exit.
 *
 * Argument: compilations of each class (default 9).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compileClass } from "#engine/sierra/index.ts";
import { type SierraClass, sierraClassFromJson } from "#protocol/chain/index.ts";
import { fixturePath, SHARED } from "#test/helpers/shared.ts";
import { median } from "./pairs.ts";

const DEVNET = ["classes", "starknet-devnet"] as const;
const LIMITS = { maxBytecodeSize: Number.MAX_SAFE_INTEGER };
const CLASS_ARGUMENT = "--class";

const CLASSES = [
  ["universal deployer", fixturePath(...DEVNET, "system_artifacts", "udc_2.sierra")],
  [
    "OpenZeppelin account 1.0.0",
    fixturePath(...DEVNET, "accounts_artifacts/OpenZeppelin/1.0.0/Account.cairo/Account.sierra"),
  ],
  ["STRK token", fixturePath(...DEVNET, "system_artifacts", "erc20_strk.sierra")],
  ["Argent 0.4.0", fixturePath(...DEVNET, "accounts_artifacts", "Argent", "argent_0.4.0.sierra")],
  ["the largest fixture", fixturePath("casm-golden", "156a6d018657.sierra.json")],
] as const;

/** Compiles in a separate process. @returns the seconds of each compilation */
function compileOften(path: string, count: number): number[] {
  const sierraClass = sierraClassFromJson(readFileSync(path, "utf8")) as SierraClass;
  return Array.from({ length: count }, () => secondsOf(() => compileClass(sierraClass, LIMITS)));
}

function secondsOf(work: () => void): number {
  const startedMs = performance.now();
  work();
  return (performance.now() - startedMs) / 1000;
}

function referenceSeconds(program: string, path: string, count: number): number {
  const command = [program, "--max-bytecode-size", "1000000", path, "/dev/null"];
  return median(Array.from({ length: count }, () => secondsOf(() => void Bun.spawnSync(command))));
}

function printTable(count: number): void {
  const reference = process.env["REFERENCE_COMPILER"];
  for (const [name, path] of CLASSES) {
    const command = [process.execPath, import.meta.path, CLASS_ARGUMENT, path, String(count)];
    const { stdout } = Bun.spawnSync(command, {
      stderr: "inherit",
      cwd: join(import.meta.dir, "../.."),
    });
    const [cold = Number.NaN, ...warm] = JSON.parse(stdout.toString()) as number[];
    const own = `cold ${cold.toFixed(3)} s, warm ${median(warm).toFixed(3)} s`;
    const referenceText =
      reference === undefined
        ? ""
        : `, reference ${referenceSeconds(reference, path, count).toFixed(3)} s`;
    console.log(`${name}: ${own}${referenceText}`);
  }
}

const [first = "9", path = "", count = "1"] = process.argv.slice(2);
if (SHARED === undefined) process.stderr.write("The benchmark needs ../shared/fixtures.\n");
else if (first === CLASS_ARGUMENT) console.log(JSON.stringify(compileOften(path, Number(count))));
else printTable(Math.max(2, Number(first)));
