import { ObjectStoreError } from "#base/errors/index.ts";
import type { HttpAnswer } from "#io/http/index.ts";

/** What came back. */
export type S3Answer = Omit<Extract<HttpAnswer, { readonly kind: "answered" }>, "kind">;

/** Bytes of an error's text that are looked at. */
const LOOKED_AT_BYTES = 16 << 10;

/** What an answer's error is called. Source: Amazon S3 API Reference, "Error responses". */
const CODE = /<Code>([A-Za-z0-9.]{1,64})<\/Code>/;

/** What people have to know of an error, where its name does not say it. */
const HINTS: ReadonlyMap<string, string> = new Map([
  ["InvalidAccessKeyId", "it does not know the keys"],
  ["NoSuchBucket", "there is no such bucket"],
  ["RequestTimeTooSkewed", "the clocks of this machine and of the store are too far apart"],
  ["SignatureDoesNotMatch", "the secret key or the region is wrong"],
]);

/** Refusals that are over by themselves, beside 5xx: of what came too slowly, too often, or beside another put. */
const LATER: ReadonlySet<number> = new Set([408, 409, 412, 429]);

/** The same of status 400: a body that came too slowly, or was another one on the way. */
const LATER_CODES: ReadonlySet<string> = new Set(["BadDigest", "RequestTimeout"]);

/** The code of S3 that an answer has; `undefined`: it says none. */
export function codeOf({ bytes }: S3Answer): string | undefined {
  return CODE.exec(new TextDecoder().decode(bytes.subarray(0, LOOKED_AT_BYTES)))?.[1];
}

/**
 * An answer that is not what was asked for.
 *
 * @param said - who was asked for what
 * @param masked - hides keys that the answer may repeat
 */
export function refusalOf(
  said: string,
  answer: S3Answer,
  masked: (text: string) => string,
): ObjectStoreError {
  const { status } = answer;
  const told = codeOf(answer);
  const code = told === undefined ? undefined : masked(told);
  const hint = HINTS.get(code ?? "");
  const isLater = status >= 500 || LATER.has(status) || LATER_CODES.has(code ?? "") || status < 300;
  return new ObjectStoreError(
    "OBJECT_STORE_FAILED",
    `${said}: status ${status}${code === undefined ? "" : ` (${code})`}${hint === undefined ? "" : `: ${hint}`}`,
    isLater,
    { meta: { status, s3Code: code ?? null } },
  );
}

/** An answer that no store of this kind gives, or none at all. */
export function brokenAnswer(said: string, why: string, cause?: unknown): ObjectStoreError {
  return new ObjectStoreError("OBJECT_STORE_FAILED", `${said}: ${why}`, true, {
    cause,
    meta: { status: 0, s3Code: null },
  });
}

/** An answer that leads to another address, which nobody has chosen. */
export function leadsElsewhere(said: string, status: number): ObjectStoreError {
  return new ObjectStoreError(
    "OBJECT_STORE_FAILED",
    `${said}: status ${status} leads elsewhere: the endpoint or the region is not the bucket's`,
    false,
    { meta: { status, s3Code: null } },
  );
}

/** An object, or another answer, that is longer than it may be. */
export function tooLarge(said: string, maxBytes: number): ObjectStoreError {
  return new ObjectStoreError(
    "OBJECT_STORE_TOO_LARGE",
    `${said}: more than ${maxBytes} bytes`,
    false,
  );
}
