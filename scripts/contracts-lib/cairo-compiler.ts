import { join } from "node:path";
import { repairSierraProgram } from "./sierra-repair.ts";

/** An entry point of a Sierra class. */
export interface SierraEntryPoint {
  readonly selector: string;
  readonly function_idx: number;
}

/** A Sierra class in JSON-RPC form: `abi` is text, and the class hash covers its bytes. */
export interface SierraClass {
  readonly sierra_program: readonly string[];
  readonly contract_class_version: string;
  readonly entry_points_by_type: {
    readonly CONSTRUCTOR: readonly SierraEntryPoint[];
    readonly EXTERNAL: readonly SierraEntryPoint[];
    readonly L1_HANDLER: readonly SierraEntryPoint[];
  };
  readonly abi: string;
}

/** Result of a compilation: the class, or the diagnostics that could be recovered. */
export type CompileResult =
  | { readonly kind: "compiled"; readonly sierra: SierraClass }
  | { readonly kind: "failed"; readonly diagnostics: readonly string[] };

interface CompilerOutput extends Omit<SierraClass, "abi"> {
  readonly abi: unknown;
}

type ProcessAnswer = { readonly output: string } | { readonly diagnostics: readonly string[] };

/**
 * Compiles one Starknet contract, given as the text of a whole crate (Cairo 2.8, edition 2023_01),
 * to a repaired Sierra class (see `sierra-repair.ts`) without debug info. Takes 10 to 40 seconds
 * and about a gigabyte, in a separate process.
 *
 * The compiler reports an error only as "Compilation failed.", but the texts of its diagnostics stay in its
 * memory: the function returns those that it finds there, usually all.
 */
export function compileCairo(source: string): CompileResult {
  const script = join(import.meta.dir, "compiler-process.ts");
  const run = Bun.spawnSync([process.execPath, script], { stdin: Buffer.from(source) });
  const lastLine = run.stdout.toString().trimEnd().split("\n").at(-1) ?? "";
  if (run.exitCode !== 0 || !lastLine.startsWith("{")) {
    return { kind: "failed", diagnostics: [`the compiler stopped: ${run.stderr.toString()}`] };
  }
  const answer = JSON.parse(lastLine) as ProcessAnswer;
  if ("diagnostics" in answer) return { kind: "failed", diagnostics: answer.diagnostics };
  const parsed = JSON.parse(answer.output) as CompilerOutput;
  return {
    kind: "compiled",
    sierra: {
      sierra_program: repairSierraProgram(parsed.sierra_program.map(BigInt)).map(
        (felt) => `0x${felt.toString(16)}`,
      ),
      contract_class_version: parsed.contract_class_version,
      entry_points_by_type: parsed.entry_points_by_type,
      abi: abiText(parsed.abi),
    },
  };
}

/** JSON with `", "` and `": "` between the parts: the form of an ABI that class hashes cover. */
export function abiText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(abiText).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).map(([k, v]) => `${JSON.stringify(k)}: ${abiText(v)}`);
    return `{${fields.join(", ")}}`;
  }
  return JSON.stringify(value);
}
