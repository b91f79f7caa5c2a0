/** Segments of paths that name an interface or its version; any other may be a key. */
const NAME = /^(?:rpc|ws|gateway|feeder_gateway|v\d{1,3}(?:[._]\d{1,3}){0,2})$/i;

/** Stands for what may be a key. */
export const HIDDEN = "***";

/** Whether a segment of a path is shown: it is the name of an interface, or its version. */
export function isShownSegment(segment: string): boolean {
  return segment === "" || NAME.test(segment);
}

/**
 * An address as messages, logs and metrics show it: scheme, host, port, and the segments of the path that
 * cannot be a key. `https://user:password@host/v3/KEY?token=KEY` is `https://host/v3/***`.
 *
 * @param text - may be anything that was given as an address; `***` when it is none
 */
export function shownAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.host === "") return HIDDEN;
  const segments = url.pathname.replace(/\/+$/, "").split("/");
  const path = segments.map((segment) => (isShownSegment(segment) ? segment : HIDDEN)).join("/");
  return `${url.protocol}//${url.host}${path}`;
}

/** A word of the command line as messages show it: an address as {@link shownAddress}. */
export function shownWord(word: string): string {
  return word.includes("://") ? shownAddress(word) : word;
}
