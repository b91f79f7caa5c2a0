/** Bytes of a client, and what RFC 9112 allows a server to do with them. */
export interface RequestVector {
  readonly what: string;
  /** Bytes as Latin-1; another request follows them. */
  readonly bytes: string;
  /** Executed requests, each as `METHOD target body`. */
  readonly runs: readonly string[];
  /**
   * `next`: another request may follow; `end`: no other is executed; `wait`: this one is
   * incomplete.
   */
  readonly after: "next" | "end" | "wait";
}

const HOST = "host: a\r\n";

/** Bytes of a POST with these fields in addition to its host. */
export function post(fields: string, body = "", version = "HTTP/1.1"): string {
  return `POST / ${version}\r\n${HOST}${fields}\r\n${body}`;
}

/** The bytes of a POST in chunks. */
export function chunked(chunks: string): string {
  return post("transfer-encoding: chunked\r\n", chunks);
}

/** Bytes of a request without a body, by its first line. */
export function line(first: string): string {
  return `${first}\r\n${HOST}\r\n`;
}

/** A vector that is rejected: neither it nor the following request is executed. */
export function refused(what: string, bytes: string): RequestVector {
  return { what, bytes, runs: [], after: "end" };
}

/** A vector that is executed, like the following request. */
export function executed(what: string, bytes: string, ...runs: readonly string[]): RequestVector {
  return { what, bytes, runs, after: "next" };
}
