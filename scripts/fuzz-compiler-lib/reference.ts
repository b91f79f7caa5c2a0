import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringifyJson } from "#base/codec/index.ts";
import { casmClassFromJson, type SierraClass, sierraClassCodec } from "#protocol/chain/index.ts";
import { FUZZ_LIMITS, type Outcome } from "#test/helpers/sierra/fuzz/outcome.ts";

/** Result of the reference compiler; it may also crash without a result. */
export type ReferenceOutcome =
  Outcome | { readonly kind: "panicked" | "late"; readonly reason: string };

/** The reference compiler as an external program. */
export interface ReferenceCompiler {
  /** Its result for the class of a file. */
  outcome(path: string): ReferenceOutcome;
}

const TIMEOUT_MS = 60_000;

/** A refusal with a backtrace takes ten times as long. */
const ENVIRONMENT = { ...process.env, RUST_BACKTRACE: "0" };

/** Exit code of a refusal. */
const REFUSED = 1;

/**
 * Creates the reference compiler, which runs a program on files in a folder.
 *
 * @param program - path or name of `starknet-sierra-compile`
 */
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

/** Writes a class in the form that both compilers read. */
export function writeClass(path: string, sierraClass: SierraClass): void {
  const { abi: _, ...json } = sierraClassCodec.encode(sierraClass) as Record<string, unknown>;
  writeFileSync(path, stringifyJson(json as never));
}
