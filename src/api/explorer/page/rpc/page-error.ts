/** Failure that a view shows: its text says what failed and what to do. */
export class PageError extends Error {
  /** Code of the JSON-RPC error; HTTP status if the node sent none; 0 without a response. */
  readonly code: number;
  /** Data of the JSON-RPC error; `undefined` if absent. */
  readonly data: unknown;

  constructor(message: string, code = 0, data?: unknown) {
    super(message);
    this.name = "PageError";
    this.code = code;
    this.data = data;
  }
}

/** Longest data of an error that is shown, in characters. */
const MAX_DATA = 500;

/** Returns the text of any failure, with what the node says about it. */
export function messageOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  if (!(failure instanceof PageError) || failure.data === undefined) return failure.message;
  const { data, message } = failure;
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `${message}: ${text.slice(0, MAX_DATA)}`;
}
