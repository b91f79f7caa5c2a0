import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringifyJson } from "#base/codec/index.ts";
import { casmClassFromJson, type SierraClass, sierraClassCodec } from "#protocol/chain/index.ts";
import type { Outcome } from "#test/helpers/sierra/fuzz-class.ts";

/** The reference compiler, as a program that is run. */
export interface ReferenceCompiler {
  /** What it says to the class of a file. */
  outcome(path: string): Outcome;
}

const TIMEOUT_MS = 60_000;

/** @param program - path or name of `starknet-sierra-compile` */
export function createReferenceCompiler(program: string, folder: string): ReferenceCompiler {
  mkdirSync(folder, { recursive: true });
  const output = join(folder, "reference.casm.json");
  return {
    outcome(path) {
      const command = [program, "--max-bytecode-size", "180000", path, output];
      const { exitCode, stderr } = Bun.spawnSync(command, { timeout: TIMEOUT_MS });
      return exitCode === 0
        ? { kind: "compiled", casm: casmClassFromJson(readFileSync(output, "utf8")) }
        : { kind: "refused", reason: stderr.toString().trim() };
    },
  };
}

/** Writes a class as both compilers read it. */
export function writeClass(path: string, sierraClass: SierraClass): void {
  const { abi: _, ...json } = sierraClassCodec.encode(sierraClass) as Record<string, unknown>;
  writeFileSync(path, stringifyJson(json as never));
}
