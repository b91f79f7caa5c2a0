import plain from "./build/vm.plain.wasm" with { type: "file" };
import wide from "./build/vm.wide.wasm" with { type: "file" };

/** Paths of the two builds of the machine kernel, written by `bun run kernels`. */
export const VM_KERNEL_PATHS = { plain, wide } as const;
