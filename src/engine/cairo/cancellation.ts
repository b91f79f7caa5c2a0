import { AppError } from "#base/errors/index.ts";

/** Ends the work of a machine that was told to stop, from wherever it is; the runs are cancelled. */
export class RunCancelled extends AppError {
  constructor() {
    super("KERNEL_CANCELLED", "The run was cancelled.");
  }
}
