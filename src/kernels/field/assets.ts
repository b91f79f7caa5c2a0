import plain from "./build/field.plain.wasm" with { type: "file" };
import wide from "./build/field.wide.wasm" with { type: "file" };

/**
 * Paths of the two builds of the field kernel, written by `bun run kernels`: `wide` uses WebAssembly's
 * wide-arithmetic instructions, `plain` runs on any engine.
 */
export const FIELD_KERNEL_PATHS = { plain, wide } as const;
