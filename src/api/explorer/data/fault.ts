import { AppError } from "#base/errors/index.ts";

/** Request that is answered with an error. */
export class ExplorerFault extends AppError {
  /** Status of the response: 400 for a wrong parameter, 429 and 503 while the node has no room for it. */
  readonly status: 400 | 429 | 500 | 503;

  constructor(status: ExplorerFault["status"], message: string) {
    super(status === 400 ? "EXPLORER_BAD_PARAMETER" : "EXPLORER_NOT_ANSWERED", message);
    this.status = status;
  }
}

/** Fails a request with a wrong parameter; the message names it and what was expected. */
export function badParameter(message: string): never {
  throw new ExplorerFault(400, message);
}
