import type { HttpRequest } from "./message.ts";

/**
 * Whether somebody else on the way could find another end of this request than we do: the way in which
 * requests are smuggled past who looks at them (RFC 9112, sections 6.1, 6.3 and 11.2). It is refused
 * whatever the parser made of it.
 *
 * @param isOld - HTTP/1.0, which knows no transfer codings
 */
export function hasFaultyFraming(headers: HttpRequest["headers"], isOld: boolean): boolean {
  const codings = headers.get("transfer-encoding");
  if (codings === null) return false;
  const last = codings.slice(codings.lastIndexOf(",") + 1).trim();
  return isOld || last.toLowerCase() !== "chunked" || headers.get("content-length") !== null;
}
