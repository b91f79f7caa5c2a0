import { ObjectStoreError } from "#base/errors/index.ts";
import type { HttpAnswer } from "#io/http/index.ts";

/** Response of an S3 store. */
export type S3Answer = Omit<Extract<HttpAnswer, { readonly kind: "answered" }>, "kind">;

/** Maximum number of bytes of an error body that are searched. */
const LOOKED_AT_BYTES = 16 << 10;

/** Error code in a response. Source: Amazon S3 API Reference, "Error responses". */
const CODE = /<Code>([A-Za-z0-9.]{1,64})<\/Code>/;

/** Explanations of error codes that are not self-explanatory. */
const HINTS: ReadonlyMap<string, string> = new Map([
  ["InvalidAccessKeyId", "the access key is unknown"],
  ["NoSuchBucket", "the bucket does not exist"],
  ["RequestTimeTooSkewed", "the clocks of this machine and of the store are too far apart"],
  ["SignatureDoesNotMatch", "the secret key or the region is wrong"],
]);

/**
 * Transient statuses, besides 5xx: a request that was too slow, too frequent, or concurrent with another put.
 */
const LATER: ReadonlySet<number> = new Set([408, 409, 412, 429]);

/** Transient codes of status 400: a body that arrived too slowly, or was corrupted in transit. */
const LATER_CODES: ReadonlySet<string> = new Set(["BadDigest", "RequestTimeout"]);

/** Returns the S3 error code of a response; `undefined` if it has none. */
export function codeOf({ bytes }: S3Answer): string | undefined {
  return CODE.exec(new TextDecoder().decode(bytes.subarray(0, LOOKED_AT_BYTES)))?.[1];
}

/**
 * Creates the error for an unexpected response.
 *
 * @param label - description of the request
 * @param masked - masks keys that the response may repeat
 */
export function refusalOf(
  label: string,
  answer: S3Answer,
  masked: (text: string) => string,
): ObjectStoreError {
  const { status } = answer;
  const s3Code = codeOf(answer);
  const code = s3Code === undefined ? undefined : masked(s3Code);
  const hint = HINTS.get(code ?? "");
  const isLater = status >= 500 || LATER.has(status) || LATER_CODES.has(code ?? "") || status < 300;
  return new ObjectStoreError(
    "OBJECT_STORE_FAILED",
    `${label}: status ${status}${code === undefined ? "" : ` (${code})`}${hint === undefined ? "" : `: ${hint}`}`,
    isLater,
    { meta: { status, s3Code: code ?? null } },
  );
}

/**
 * Creates the retryable error for an invalid or missing response.
 *
 * @param label - description of the request
 * @param why - what is wrong, for the message
 */
export function brokenAnswer(label: string, why: string, cause?: unknown): ObjectStoreError {
  return new ObjectStoreError("OBJECT_STORE_FAILED", `${label}: ${why}`, true, {
    cause,
    meta: { status: 0, s3Code: null },
  });
}

/** Creates the error for a redirect, which is not followed. */
export function redirected(label: string, status: number): ObjectStoreError {
  return new ObjectStoreError(
    "OBJECT_STORE_FAILED",
    `${label}: status ${status} is a redirect: the endpoint or the region does not match the bucket`,
    false,
    { meta: { status, s3Code: null } },
  );
}

/** Creates the error for an object or response above its size limit. */
export function tooLarge(label: string, maxBytes: number): ObjectStoreError {
  return new ObjectStoreError(
    "OBJECT_STORE_TOO_LARGE",
    `${label}: more than ${maxBytes} bytes`,
    false,
  );
}
