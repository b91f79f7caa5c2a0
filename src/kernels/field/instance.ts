import { readFileSync } from "node:fs";
import { getEnvironmentData, type Serializable, setEnvironmentData } from "node:worker_threads";
import { KernelError } from "#base/errors/index.ts";
import { abiFingerprint, type KernelAbi } from "./abi-source.ts";

/** Paths of the builds of a kernel: plain runs everywhere, wide needs wide arithmetic. */
export interface KernelPaths {
  readonly plain: string;
  readonly wide: string;
}

/** Module with a single function: `(i64.mul_wide_u 0 0)`. */
const WIDE_PROBE = new Uint8Array([
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...[0x01, 0x06, 0x01, 0x60, 0x00, 0x02, 0x7e, 0x7e],
  ...[0x03, 0x02, 0x01, 0x00],
  ...[0x0a, 0x0a, 0x01, 0x08, 0x00, 0x42, 0x00, 0x42, 0x00, 0xfc, 0x16, 0x0b],
]);

/** Whether this engine supports the wide-arithmetic instructions of WebAssembly. */
export function hasWideArithmetic(): boolean {
  return WebAssembly.validate(WIDE_PROBE);
}

/**
 * Compiles the build that fits this engine. Threads that start later reuse the module, including the machine
 * code that the engine has already generated.
 */
export function compileKernel(paths: KernelPaths): WebAssembly.Module {
  // A path names both builds. Testing the engine first would cost each thread milliseconds.
  const key = paths.plain;
  const compiled: unknown = getEnvironmentData(key);
  if (compiled instanceof WebAssembly.Module) return compiled;
  const module = new WebAssembly.Module(
    readFileSync(hasWideArithmetic() ? paths.wide : paths.plain),
  );
  // The types cover what Node.js can clone, which includes WebAssembly modules at run time.
  setEnvironmentData(key, module as unknown as Serializable);
  return module;
}

interface AbiExports {
  readonly abi: WebAssembly.Global<"i32">;
}

/**
 * Checks that a kernel was built with the constants that the host uses, by their fingerprint.
 *
 * @throws {KernelError} when the kernel was built with another ABI than the host's
 */
export function checkAbi(name: string, exports: AbiExports, abi: KernelAbi): void {
  const expected = abiFingerprint(abi);
  const found = exports.abi.value >>> 0;
  if (found === expected) return;
  throw new KernelError(
    "KERNEL_ABI",
    `the ${name} kernel was built from another ABI: build it again with "bun scripts/kernels.ts"`,
    { meta: { expected, found } },
  );
}

/**
 * Creates an `env.abort` import: AssemblyScript calls it for failed assertions with the addresses of a
 * message and of a file name (UTF-16, length in bytes four bytes before) and a position.
 *
 * @param memory - returns the memory once it exists
 */
export function abortImport(memory: () => WebAssembly.Memory | undefined) {
  return (message: number, file: number, line: number, column: number): never => {
    const buffer = memory()?.buffer;
    const text = buffer === undefined ? "" : readString(buffer, message);
    const name = buffer === undefined ? "" : readString(buffer, file);
    throw new KernelError("KERNEL_ABORTED", text === "" ? "kernel aborted" : text, {
      meta: { file: name, line, column },
    });
  };
}

function readString(buffer: ArrayBufferLike, address: number): string {
  if (address === 0) return "";
  const length = new DataView(buffer).getUint32(address - 4, true);
  return new TextDecoder("utf-16le").decode(new Uint8Array(buffer, address, length).slice());
}
