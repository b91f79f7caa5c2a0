import { S3mini } from "s3mini";
import { invariant } from "#base/errors/index.ts";
import type { ObjectStoreKeys } from "./keys.ts";
import type { ObjectStoreOptions } from "./types.ts";

/** What is signed: everything but the body, which the signature of S3 leaves open on request. */
export interface Unsigned {
  readonly method: "GET" | "PUT" | "DELETE";
  /** Whole; `/`: the bucket itself. */
  readonly key: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** What is to be sent. */
export interface Signed {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The part of the client that every operation goes through. Those that it offers read answers without a
 * bound, take each 404 for a missing object, and some have no place for the token of a session.
 */
interface RequestOfClient {
  _signedRequest(
    method: string,
    key: string,
    options: Pick<Unsigned, "query" | "headers">,
  ): Promise<unknown>;
}

/** Signs requests for a bucket, one at a time. */
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
      // It sends nothing by itself: what it would have sent is what is asked for.
      fetch,
    });
    this.#client = client as unknown as RequestOfClient;
  }

  /** Signs by Signature Version 4, with the wall clock's time. */
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
