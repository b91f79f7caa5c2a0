import { AppError } from "#base/errors/index.ts";

/** Request that is answered with an error. */
export class ExplorerFault extends AppError {
  /**
   * Status of the response: 400 for a wrong parameter, 404 for something that does not exist, 429 and 503 while the
   * node has no answer.
   */
  readonly status: 400 | 404 | 429 | 503;

  constructor(status: ExplorerFault["status"], message: string) {
    super(status === 400 ? "EXPLORER_BAD_PARAMETER" : "EXPLORER_NOT_ANSWERED", message);
    this.status = status;
  }
}

/** Fails a request with a wrong parameter; the message names it and what was expected. */
export function badParameter(message: string): never {
  throw new ExplorerFault(400, message);
}

/** Fails a request for something that does not exist. */
export function notFound(message: string): never {
  throw new ExplorerFault(404, message);
}
