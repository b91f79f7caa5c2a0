import { S3mini } from "s3mini";
import { invariant } from "#base/errors/index.ts";
import type { ObjectStoreKeys } from "./keys.ts";
import type { ObjectStoreOptions } from "./types.ts";

/** Object-store request to sign: everything but the body, which S3 allows to leave unsigned. */
export interface Unsigned {
  readonly method: "GET" | "PUT" | "DELETE";
  /** Full key; `/` for the bucket itself. */
  readonly key: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** URL and headers of a signed object-store request. */
export interface Signed {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Internal method of the client that every operation uses. Its public operations read responses without a
 * limit and treat each 404 as a missing object. Some have no parameter for a session token.
 */
interface RequestOfClient {
  _signedRequest(
    method: string,
    key: string,
    options: Pick<Unsigned, "query" | "headers">,
  ): Promise<unknown>;
}

/** Signs requests to a bucket, one at a time. */
export class Signer {
  readonly #client: RequestOfClient;
  readonly #more: Readonly<Record<string, string>>;
  #signed: Signed | undefined;

  constructor({ bucket, endpoint, region }: ObjectStoreOptions, keys: ObjectStoreKeys) {
    const { accessKeyId, secretAccessKey, sessionToken } = keys;
    this.#more = sessionToken === null ? {} : { "x-amz-security-token": sessionToken };
    const fetch = Object.assign(this.#take.bind(this), { preconnect: () => undefined });
    const client = new S3mini({
      accessKeyId,
      secretAccessKey,
      endpoint: `${endpoint}/${bucket}`,
      region,
      // Captures the signed request instead of sending it.
      fetch,
    });
    this.#client = client as unknown as RequestOfClient;
  }

  /** Signs with Signature Version 4, using the wall clock. */
  async sign({ method, key, query, headers }: Unsigned): Promise<Signed> {
    this.#signed = undefined;
    await this.#client._signedRequest(method, key, {
      query,
      headers: { ...headers, ...this.#more },
    });
    const signed: Signed | undefined = this.#signed;
    invariant(signed !== undefined, "the client sends what it has signed");
    return signed;
  }

  #take(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const { headers } = init ?? {};
    const url = input instanceof Request ? input.url : input.toString();
    this.#signed = { url, headers: Object.fromEntries(new Headers(headers)) };
    return Promise.resolve(new Response(null));
  }
}
