import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringifyJson } from "#base/codec/index.ts";
import { casmClassFromJson, type SierraClass, sierraClassCodec } from "#protocol/chain/index.ts";
import { FUZZ_LIMITS, type Outcome } from "#test/helpers/sierra/fuzz/outcome.ts";

/** What the reference compiler says; it may also end without an answer. */
export type ReferenceOutcome =
  Outcome | { readonly kind: "panicked" | "late"; readonly reason: string };

/** The reference compiler, as a program that is run. */
export interface ReferenceCompiler {
  /** What it says to the class of a file. */
  outcome(path: string): ReferenceOutcome;
}

const TIMEOUT_MS = 60_000;

/** A refusal with the calls that led to it takes ten times as long. */
const ENVIRONMENT = { ...process.env, RUST_BACKTRACE: "0" };

/** It ends with this where it refuses a class. */
const REFUSED = 1;

/** @param program - path or name of `starknet-sierra-compile` */
export function createReferenceCompiler(program: string, folder: string): ReferenceCompiler {
  mkdirSync(folder, { recursive: true });
  const output = join(folder, "reference.casm.json");
  const limit = String(FUZZ_LIMITS.maxBytecodeSize);
  return {
    outcome(path) {
      const command = [program, "--max-bytecode-size", limit, path, output];
      const { exitCode, exitedDueToTimeout, stderr } = Bun.spawnSync(command, {
        timeout: TIMEOUT_MS,
        env: ENVIRONMENT,
      });
      if (exitCode === 0) {
        return { kind: "compiled", casm: casmClassFromJson(readFileSync(output, "utf8")) };
      }
      const reason = stderr.toString().trim();
      if (exitedDueToTimeout === true) return { kind: "late", reason: `after ${TIMEOUT_MS} ms` };
      return { kind: exitCode === REFUSED ? "refused" : "panicked", reason };
    },
  };
}

/** Writes a class as both compilers read it. */
export function writeClass(path: string, sierraClass: SierraClass): void {
  const { abi: _, ...json } = sierraClassCodec.encode(sierraClass) as Record<string, unknown>;
  writeFileSync(path, stringifyJson(json as never));
}
