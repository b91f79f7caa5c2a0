import plain from "./build/field.plain.wasm" with { type: "file" };
import wide from "./build/field.wide.wasm" with { type: "file" };

/** Paths of the two builds of the field kernel, written by `bun run kernels`. */
export const FIELD_KERNEL_PATHS = { plain, wide } as const;
