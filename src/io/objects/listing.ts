import type { ListedObject } from "./types.ts";

/** One page of a listing. */
export interface ListedPage {
  readonly objects: readonly ListedObject[];
  /** Continuation token of the next page; `undefined` on the last one. */
  readonly next: string | undefined;
}

/** Maximum length of a token. */
const MAX_TOKEN = 8_192;

/** Length of the text in which a listing must start. */
const MAX_HEAD = 1_024;

/** Keys that this program creates; other keys in the bucket belong to other programs. */
const OWN_KEY = /^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/;
const DOTS = /(^|\/)\.{1,2}(\/|$)/;

/** Whether a key has the form that this program creates, so that it cannot refer to another path. */
export function isOwnKey(key: string): boolean {
  return OWN_KEY.test(key) && !DOTS.test(key);
}

/**
 * Parses a page of ListObjectsV2 in linear time; the response of a store is not trusted. Source: Amazon S3
 * API Reference, "ListObjectsV2", response syntax.
 *
 * @param prefix - required prefix of all keys
 * @param after - key that all keys must follow
 * @returns `undefined` if it is not a listing, or its keys are not in order
 */
export function readListing(text: string, prefix: string, after: string): ListedPage | undefined {
  const head = text.slice(0, MAX_HEAD);
  if (!head.includes("<ListBucketResult")) return undefined;
  if (!text.trimEnd().endsWith("</ListBucketResult>")) return undefined;
  const objects: ListedObject[] = [];
  let last = after;
  for (let at = text.indexOf(OPEN); at !== -1;) {
    const end = text.indexOf(CLOSE, at);
    if (end === -1) return undefined;
    const entry = text.slice(at + OPEN.length, end);
    const key = unescaped(textIn(entry, "Key"));
    const size = textIn(entry, "Size") ?? "";
    if (key === undefined || !key.startsWith(prefix) || !/^\d{1,15}$/.test(size)) return undefined;
    if (isOwnKey(key)) {
      if (key <= last) return undefined;
      last = key;
      objects.push({ key, sizeBytes: Number(size) });
    }
    at = text.indexOf(OPEN, end);
  }
  const isTruncated = textIn(text, "IsTruncated");
  if (isTruncated === "false") return { objects, next: undefined };
  const next = unescaped(textIn(text, "NextContinuationToken"));
  const isToken = next !== undefined && next !== "" && next.length <= MAX_TOKEN;
  return isTruncated === "true" && isToken ? { objects, next } : undefined;
}

const OPEN = "<Contents>";
const CLOSE = "</Contents>";

/** Returns the text of the first element with a name. */
function textIn(xml: string, name: string): string | undefined {
  const open = `<${name}>`;
  const from = xml.indexOf(open);
  const to = from === -1 ? -1 : xml.indexOf(`</${name}>`, from);
  return to === -1 ? undefined : xml.slice(from + open.length, to);
}

function unescaped(text: string | undefined): string | undefined {
  return text?.replaceAll(/&(?:quot|apos|lt|gt|amp);/g, (name) => ENTITIES[name] ?? name);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&quot;": '"',
  "&apos;": "'",
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
};
