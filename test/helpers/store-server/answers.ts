/** Response to a request. */
export interface StoreAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Statuses of the S3 error codes in use. Source: Amazon S3 API Reference, "Error responses". */
const STATUSES: Readonly<Record<string, number>> = {
  AccessDenied: 403,
  AuthorizationHeaderMalformed: 400,
  BadDigest: 400,
  ConditionalRequestConflict: 409,
  InsufficientStorage: 507,
  InternalError: 500,
  InvalidAccessKeyId: 403,
  InvalidToken: 400,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NotImplemented: 501,
  PreconditionFailed: 412,
  RequestTimeTooSkewed: 403,
  SignatureDoesNotMatch: 403,
  SlowDown: 503,
  TemporaryRedirect: 307,
  TooManyRequests: 429,
  XAmzContentSHA256Mismatch: 400,
};

const CODES: ReadonlyMap<number, string> = new Map([
  [307, "TemporaryRedirect"],
  [403, "AccessDenied"],
  [409, "ConditionalRequestConflict"],
  [412, "PreconditionFailed"],
  [429, "TooManyRequests"],
  [500, "InternalError"],
  [503, "SlowDown"],
  [507, "InsufficientStorage"],
]);

/** An error in the format of S3. */
export function refusal(code: string): StoreAnswer {
  const status = STATUSES[code] ?? 400;
  return {
    status,
    headers: {
      "content-type": "application/xml",
      ...(status === 307 ? { location: "http://127.0.0.1:9/elsewhere" } : {}),
    },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${code}</Message></Error>`,
  };
}

/** The usual error of a status. */
export function refusalOf(status: number): StoreAnswer {
  return refusal(CODES.get(status) ?? "InternalError");
}

/** A page of a listing, in the format of ListObjectsV2. */
export function listing(
  objects: readonly { readonly key: string; readonly sizeBytes: number; readonly etag: string }[],
  nextToken: string | undefined,
): StoreAnswer {
  const contents = objects.map(
    ({ key, sizeBytes, etag }) =>
      `<Contents><Key>${key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>&quot;${etag}&quot;</ETag><Size>${sizeBytes}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
  );
  const next =
    nextToken === undefined ? "" : `<NextContinuationToken>${nextToken}</NextContinuationToken>`;
  return {
    status: 200,
    headers: { "content-type": "application/xml" },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><KeyCount>${objects.length}</KeyCount><IsTruncated>${nextToken !== undefined}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`,
  };
}
