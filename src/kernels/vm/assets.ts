import plain from "./build/vm.plain.wasm" with { type: "file" };
import wide from "./build/vm.wide.wasm" with { type: "file" };

/** Paths of the two builds of the machine kernel; `bun run kernels` makes them. */
export const VM_KERNEL_PATHS = { plain, wide } as const;
