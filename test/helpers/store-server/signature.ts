import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** Credentials that a store accepts. */
export interface StoreKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Must be signed with every request; `null` if there is no session. */
  readonly sessionToken: string | null;
  readonly region: string;
}

/** A request as received. */
export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

/** Maximum difference of two clocks. Source: Amazon S3, "Error responses", RequestTimeTooSkewed. */
const MAX_SKEW_MS = 15 * 60_000;

const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

/**
 * Checks a request's signature.
 * Source: Amazon S3 API Reference, "Authenticating Requests (AWS Signature Version 4)".
 *
 * @returns S3 code of the error; `undefined` if the signature is valid
 */
export function wrongSignature(request: SignedRequest, keys: StoreKeys): string | undefined {
  const { headers } = request;
  const match = FORM.exec(headers.authorization ?? "");
  if (match === null) return "AccessDenied";
  const [, id, day = "", region, names = "", signature] = match;
  const time = String(headers["x-amz-date"]);
  const signed = names.split(";");
  if (id !== keys.accessKeyId) return "InvalidAccessKeyId";
  if (region !== keys.region) return "AuthorizationHeaderMalformed";
  if (!(Math.abs(Date.now() - timeOf(time)) <= MAX_SKEW_MS)) return "RequestTimeTooSkewed";
  const mustBeSigned = [
    "host",
    ...Object.keys(headers).filter((name) => name.startsWith("x-amz-")),
  ];
  if (!mustBeSigned.every((name) => signed.includes(name))) return "AccessDenied";
  if ((headers["x-amz-security-token"] ?? null) !== keys.sessionToken) return "InvalidToken";
  const text = [
    "AWS4-HMAC-SHA256",
    time,
    `${day}/${region}/s3/aws4_request`,
    sha256(canonicalOf(request, signed)),
  ];
  const key = [day, keys.region, "s3", "aws4_request"].reduce<string | Buffer>(
    hmac,
    `AWS4${keys.secretAccessKey}`,
  );
  return hmac(key, text.join("\n")).toString("hex") === signature
    ? wrongPayload(request)
    : "SignatureDoesNotMatch";
}

function canonicalOf({ method, url, headers }: SignedRequest, signed: readonly string[]): string {
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join("&");
  const lines = signed.map((name) => `${name}:${String(headers[name] ?? "").trim()}\n`);
  return [method, url.pathname, query, lines.join(""), signed.join(";"), payloadOf(headers)].join(
    "\n",
  );
}

function wrongPayload({ headers, body }: SignedRequest): string | undefined {
  const payload = payloadOf(headers);
  const isRight = payload === "UNSIGNED-PAYLOAD" || payload === sha256(body);
  return isRight ? undefined : "XAmzContentSHA256Mismatch";
}

function payloadOf(headers: IncomingHttpHeaders): string {
  return String(headers["x-amz-content-sha256"]);
}

/** Unix milliseconds of `20261123T051822Z`; NaN for an invalid time. */
function timeOf(text: string): number {
  return Date.parse(
    text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"),
  );
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function sha256(data: string | Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(data).digest("hex");
}
