import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SierraClass } from "./cairo-compiler.ts";

/** Environment variable with the path of `starknet-sierra-compile` when it is not on PATH. */
export const CASM_COMPILER_VARIABLE = "STARKNET_SIERRA_COMPILE";

/** The CASM text, or why there is none. */
export type CasmResult =
  | { readonly kind: "compiled"; readonly casm: string }
  | { readonly kind: "failed"; readonly message: string };

/** Path of the public tool `starknet-sierra-compile`, or `undefined` where it is missing. */
export function findCasmCompiler(): string | undefined {
  return Bun.which(process.env[CASM_COMPILER_VARIABLE] ?? "starknet-sierra-compile") ?? undefined;
}

/** What to tell where {@link findCasmCompiler} finds nothing. */
export const CASM_COMPILER_MISSING =
  "starknet-sierra-compile is missing: install it with `cargo install starknet-sierra-compile`, " +
  `then put it on PATH or set ${CASM_COMPILER_VARIABLE} to its path`;

/** Compiles a Sierra class to CASM by `TOOL CLASS.json CASM.json`. */
export function compileCasm(tool: string, sierra: SierraClass): CasmResult {
  const folder = mkdtempSync(join(tmpdir(), "contracts-"));
  try {
    const input = join(folder, "class.json");
    const output = join(folder, "casm.json");
    writeFileSync(input, JSON.stringify({ ...sierra, abi: JSON.parse(sierra.abi) as unknown }));
    const run = Bun.spawnSync([tool, input, output]);
    if (run.exitCode !== 0) {
      return { kind: "failed", message: `${tool}: ${run.stderr.toString().trim()}` };
    }
    // Felts are hex texts; every number of a CASM file is far below 2^53.
    const casm = JSON.parse(readFileSync(output, "utf8")) as Record<string, unknown>;
    delete casm["pythonic_hints"];
    return { kind: "compiled", casm: JSON.stringify(casm) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
