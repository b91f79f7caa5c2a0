import { AppError } from "#base/errors/index.ts";

/** Failure of a Cairo 0 hint, and with it of the run; caught before the machine continues. */
export class HintFailed extends AppError {
  /** Whether this is a machine error inside the hint: such error texts end with a line break. */
  readonly isMachineError: boolean;

  constructor(message: string, isMachineError = false) {
    super("CAIRO_HINT_FAILED", message);
    this.isMachineError = isMachineError;
  }
}
