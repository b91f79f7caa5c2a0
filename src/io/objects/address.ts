import { shownAddress } from "#base/primitives/index.ts";
import type { ObjectStoreOptions } from "./types.ts";

/** Bucket names by the rules of S3. Source: Amazon S3 User Guide, "General purpose bucket naming rules". */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

const PREFIX = /^[A-Za-z0-9_.-]+(\/[A-Za-z0-9_.-]+)*$/;

const REGION = /^[a-z0-9-]{1,64}$/;

/** Signing region for stores without regions, by convention. */
const NO_REGION = "us-east-1";

/**
 * Parses `s3://BUCKET/PREFIX?endpoint=URL&region=NAME`. Prefix and region are optional; without an endpoint,
 * Amazon's endpoint of the region is used.
 *
 * @returns `undefined` if it is not such an address
 */
export function readObjectStoreUrl(
  text: string,
): Omit<ObjectStoreOptions, "credentialsFile"> | undefined {
  // The URL parser would drop line breaks and tabs.
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

/** Returns the display name of a store, without parts of its endpoint that may be keys. */
export function storeName({
  bucket,
  prefix,
  endpoint,
}: Pick<ObjectStoreOptions, "bucket" | "prefix" | "endpoint">): string {
  return `s3://${bucket}${prefix === "" ? "" : `/${prefix}`} at ${shownAddress(endpoint)}`;
}

const PARAMETERS: ReadonlySet<string> = new Set(["endpoint", "region"]);

/** Maximum length of a prefix; S3 keys have at most 1024 characters. */
const MAX_PREFIX = 512;

function isPrefix(text: string): boolean {
  return text.length <= MAX_PREFIX && PREFIX.test(text);
}

/** Whether the endpoint is a URL without credentials that a bucket path can be appended to. */
function isServiceAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return false;
  return (
    url.username === "" && url.password === "" && /^[\x21-\x7e]+$/.test(text) && !/[?#]/.test(text)
  );
}
