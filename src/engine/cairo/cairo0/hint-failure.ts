import { AppError } from "#base/errors/index.ts";

/** Ends a Cairo 0 hint, and with it the run; caught before the machine goes on. */
export class HintFailed extends AppError {
  /**
   * Whether the text is that of an error of the machine inside of the hint: error texts then end
   * with a line break.
   */
  readonly isMachineError: boolean;

  constructor(message: string, isMachineError = false) {
    super("CAIRO_HINT_FAILED", message);
    this.isMachineError = isMachineError;
  }
}
