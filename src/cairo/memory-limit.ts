import { AppError } from "#errors/index.ts";

/** Text of a run that needs more memory than the machine has; wording of cairo-vm 3.2.0. */
export const MEMORY_LIMIT_TEXT = "Vector capacity exceeded";

/** Carries "memory is used up" from a syscall host through the kernel to the run that ends by it. */
export class MemoryLimitReached extends AppError {
  constructor() {
    super("KERNEL_MEMORY_LIMIT", MEMORY_LIMIT_TEXT);
  }
}
