import { AppError } from "#base/errors/index.ts";

/** Aborts the machine's work, from any depth, after a cancellation; its runs end as cancelled. */
export class RunCancelled extends AppError {
  constructor() {
    super("KERNEL_CANCELLED", "The run was cancelled.");
  }
}
