/** Path segments that name an interface or a version; any other segment may be a key. */
const NAME = /^(?:rpc|ws|gateway|feeder_gateway|v\d{1,3}(?:[._]\d{1,3}){0,2})$/i;

/** Text that messages show in place of a part of an address that may be a key. */
export const HIDDEN = "***";

/**
 * Whether messages may show a path segment of a URL: it is empty, or a word such as `rpc` or `v0_8`
 * that names an interface or a version and cannot be a key.
 */
export function isShownSegment(segment: string): boolean {
  return segment === "" || NAME.test(segment);
}

/**
 * Formats an address for messages, logs and metrics: scheme, host, port, and path segments that cannot be a
 * key. `https://user:password@host/v3/KEY?token=KEY` becomes `https://host/v3/***`.
 *
 * @param text - text configured as an address; the result is `***` when it is not one
 */
export function shownAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.host === "") return HIDDEN;
  const segments = url.pathname.replace(/\/+$/, "").split("/");
  const path = segments.map((segment) => (isShownSegment(segment) ? segment : HIDDEN)).join("/");
  return `${url.protocol}//${url.host}${path}`;
}

/**
 * Formats a word of the command line for messages: addresses as by {@link shownAddress}, others unchanged.
 */
export function shownWord(word: string): string {
  return word.includes("://") ? shownAddress(word) : word;
}
