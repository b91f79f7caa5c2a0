import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { writeAtomically } from "../kernels-lib/write.ts";
import { CASM_FOLDER, contractNames, CONTRACTS_FOLDER } from "./folders.ts";

const ROOT = resolve(import.meta.dir, "../..");

/** Sources that determine the CASM in addition to the class: the compiler, and its input and output formats. */
const COMPILER_SOURCES = ["src/engine/sierra", "src/protocol/chain", "scripts/contracts-lib"];

/** Result of {@link buildCasm} for one contract; a reason if its class does not compile. */
export type CasmBuild =
  | { readonly name: string; readonly outcome: "built" | "unchanged" }
  | { readonly name: string; readonly outcome: "failed"; readonly reason: string };

/** Folders of the classes and of their CASM. */
export interface CasmFolders {
  readonly sierra: string;
  readonly casm: string;
}

const FOLDERS: CasmFolders = { sierra: CONTRACTS_FOLDER, casm: CASM_FOLDER };

/**
 * Compiles the Sierra classes of `contracts/l2` to `contracts/l2/build/NAME.casm.json`, for the
 * genesis, the executable, the scripts and the tests. One is skipped while the hash of its class and
 * of the compiler's sources equals the one stored next to its output. Needs the kernels.
 */
export async function buildCasm(
  names: readonly string[] = contractNames(),
  folders: CasmFolders = FOLDERS,
): Promise<readonly CasmBuild[]> {
  const compiler = compilerHash();
  const builds: CasmBuild[] = [];
  for (const name of names) builds.push(await buildOne(name, compiler, folders));
  return builds;
}

async function buildOne(name: string, compiler: string, folders: CasmFolders): Promise<CasmBuild> {
  const sierraJson = readFileSync(join(folders.sierra, `${name}.sierra.json`), "utf8");
  const output = join(folders.casm, `${name}.casm.json`);
  const stamp = join(folders.casm, `${name}.hash`);
  const hash = createHash("sha256").update(compiler).update(sierraJson).digest("hex");
  const isFresh = existsSync(stamp) && readFileSync(stamp, "utf8") === hash && existsSync(output);
  if (isFresh) return { name, outcome: "unchanged" };

  // Loaded late: usually nothing has changed, and the kernels exist by now.
  const { compileCasm } = await import("./casm-compiler.ts");
  const result = compileCasm(sierraJson);
  if (result.kind === "failed") return { name, outcome: "failed", reason: result.message };
  mkdirSync(folders.casm, { recursive: true });
  writeAtomically(output, `${result.casm}\n`);
  writeAtomically(stamp, hash);
  return { name, outcome: "built" };
}

function compilerHash(): string {
  const hash = createHash("sha256");
  for (const folder of COMPILER_SOURCES) {
    const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => join(ROOT, folder, file));
    for (const file of files.toSorted()) {
      hash.update(relative(ROOT, file)).update("\0").update(readFileSync(file)).update("\0");
    }
  }
  return hash.digest("hex");
}
