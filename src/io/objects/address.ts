import { shownAddress } from "#base/primitives/index.ts";
import type { ObjectStoreOptions } from "./types.ts";

/** Names of buckets by the rules of S3. Source: Amazon S3 User Guide, "General purpose bucket naming rules". */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

const PREFIX = /^[A-Za-z0-9_.-]+(\/[A-Za-z0-9_.-]+)*$/;

const REGION = /^[a-z0-9-]{1,64}$/;

/** Where keys of no region are valid, by the habit of stores that have none. */
const NO_REGION = "us-east-1";

/**
 * Reads `s3://BUCKET/PREFIX?endpoint=URL&region=NAME`. The prefix may be left out, and the region; without
 * an endpoint it is that of Amazon in the region.
 *
 * @returns `undefined` when it is no such address
 */
export function readObjectStoreUrl(
  text: string,
): Omit<ObjectStoreOptions, "credentialsFile"> | undefined {
  // A parser of addresses drops line ends and tabs.
  if (!/^s3:\/\/[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username !== "" || url.password !== "" || url.port !== "" || url.hash !== "") {
    return undefined;
  }
  const bucket = url.hostname;
  const prefix = url.pathname.replace(/^\/|\/$/g, "");
  const { searchParams } = url;
  const region = searchParams.get("region") ?? NO_REGION;
  const endpoint = searchParams.get("endpoint") ?? `https://s3.${region}.amazonaws.com`;
  const names = [...searchParams.keys()];
  const isKnown = names.every((name, at) => PARAMETERS.has(name) && names.indexOf(name) === at);
  const isRight = BUCKET.test(bucket) && REGION.test(region) && isServiceAddress(endpoint);
  if (!isKnown || !isRight || (prefix !== "" && !isPrefix(prefix))) return undefined;
  return { bucket, prefix, endpoint: endpoint.replace(/\/+$/, ""), region };
}

/** What messages call a store: without what of its service's address may be a key. */
export function storeName({
  bucket,
  prefix,
  endpoint,
}: Pick<ObjectStoreOptions, "bucket" | "prefix" | "endpoint">): string {
  return `s3://${bucket}${prefix === "" ? "" : `/${prefix}`} at ${shownAddress(endpoint)}`;
}

const PARAMETERS: ReadonlySet<string> = new Set(["endpoint", "region"]);

/** Most characters of a prefix: keys of S3 have at most 1024. */
const MAX_PREFIX = 512;

function isPrefix(text: string): boolean {
  return text.length <= MAX_PREFIX && PREFIX.test(text);
}

/** An address without keys and without anything that a bucket could not stand behind. */
function isServiceAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return false;
  return (
    url.username === "" && url.password === "" && /^[\x21-\x7e]+$/.test(text) && !/[?#]/.test(text)
  );
}
