/** Bytes of a client, and what RFC 9112 lets a server make of them. */
export interface RequestVector {
  readonly what: string;
  /** As Latin-1; what comes behind them is another request. */
  readonly bytes: string;
  /** The requests that are executed, each as `METHOD target body`. */
  readonly runs: readonly string[];
  /** `next`: another one may follow; `end`: no other is executed; `wait`: more of this one is to come. */
  readonly after: "next" | "end" | "wait";
}

const HOST = "host: a\r\n";

/** The bytes of a POST with these fields beside its host. */
export function post(fields: string, body = "", version = "HTTP/1.1"): string {
  return `POST / ${version}\r\n${HOST}${fields}\r\n${body}`;
}

/** The bytes of a POST in chunks. */
export function chunked(chunks: string): string {
  return post("transfer-encoding: chunked\r\n", chunks);
}

/** The bytes of a request without a body by its first line. */
export function line(first: string): string {
  return `${first}\r\n${HOST}\r\n`;
}

/** Nothing of it is executed, nor of what follows. */
export function refused(what: string, bytes: string): RequestVector {
  return { what, bytes, runs: [], after: "end" };
}

/** It is executed, and so is what follows. */
export function taken(what: string, bytes: string, ...runs: readonly string[]): RequestVector {
  return { what, bytes, runs, after: "next" };
}
