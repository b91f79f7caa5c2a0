/**
 * Compiler: compiles declared Sierra classes in child processes.
 *
 * - Options: `compilerOptions`.
 * - Threads: none; at most two child processes of the program itself.
 * - Needs: the setup that names the file of compiled classes.
 * - Offers: {@link NodeCompiler}.
 * - Stops: refuses queued compilations, then ends the processes.
 */
import type { compilerOptions } from "#app/options/index.ts";
import type { NodeHost } from "../setup/node-host.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeSetup } from "../setup/setup.ts";
import { createClassCompiler, type NodeCompiler } from "./start-class-compiler.ts";

/** Creates the compiler; no process runs yet. */
export function openCompiler(
  options: Pick<NodeOptions, keyof typeof compilerOptions>,
  setup: Pick<NodeSetup, "files" | "config" | "warmUpTransfers">,
  { timer, disposables }: NodeHost,
): NodeCompiler {
  const settings = {
    maxResidentBytes: options.compilerMemoryBytes,
    maxCpuMs: options.compilerTimeoutMs,
    niceness: options.compilerNiceness,
  };
  return createClassCompiler(disposables, setup, settings, timer);
}
