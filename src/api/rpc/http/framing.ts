import type { HttpRequest } from "./message.ts";

/**
 * Whether an intermediary could compute a different end of this request than this server does. That is how
 * request smuggling works (RFC 9112, sections 6.1, 6.3 and 11.2). Such a request is refused, whatever the
 * parser made of it.
 *
 * @param isOld - HTTP/1.0, which has no transfer codings
 */
export function hasFaultyFraming(headers: HttpRequest["headers"], isOld: boolean): boolean {
  const codings = headers.get("transfer-encoding");
  if (codings === null) return false;
  const last = codings.slice(codings.lastIndexOf(",") + 1).trim();
  return isOld || last.toLowerCase() !== "chunked" || headers.get("content-length") !== null;
}
