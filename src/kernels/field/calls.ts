import { abortImport, checkAbi } from "./instance.ts";
import { FIELD_ABI, FIELD_LAYOUT } from "./abi.ts";
import type { FieldExports } from "./exports.ts";
import { FeltWindow } from "./window.ts";

/** Functions of an instance, and its window as felts, bytes and words. */
export interface FieldCalls {
  readonly exports: FieldExports;
  readonly window: FeltWindow;
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
}

/**
 * Creates an instance of a build of the kernel. @throws {KernelError} when its ABI differs from the host's
 */
export function createFieldCalls(module: WebAssembly.Module): FieldCalls {
  let memory: WebAssembly.Memory | undefined;
  const imports = { env: { abort: abortImport(() => memory) } };
  const exports = new WebAssembly.Instance(module, imports).exports as unknown as FieldExports;
  checkAbi("field", exports, FIELD_ABI);
  memory = exports.memory;
  const { buffer } = memory;
  const start = exports.window.value;
  const { WINDOW_BYTES } = FIELD_LAYOUT;
  return {
    exports,
    window: new FeltWindow(new BigUint64Array(buffer, start, WINDOW_BYTES / 8)),
    bytes: new Uint8Array(buffer, start, WINDOW_BYTES),
    words: new Uint32Array(buffer, start, WINDOW_BYTES / 4),
  };
}
