import { type Json, type JsonObject, numberOf, objectOf, textOf } from "./json.ts";
import { PageError } from "./page-error.ts";
import { requestNode } from "./request-node.ts";

/** Maximum calls of one batch. */
const MAX_BATCH = 100;

/** Call of a JSON-RPC method. */
export interface RpcCall {
  readonly method: string;
  readonly params?: JsonObject;
}

/** JSON-RPC client of the node that served the page. */
export class RpcClient {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /**
   * @returns the result
   * @throws {PageError} with the error of the node, or when it does not respond
   */
  async call(method: string, params: JsonObject = {}): Promise<Json> {
    const response = await this.#post({ jsonrpc: "2.0", id: 0, method, params });
    return resultOf(objectOf(response), method);
  }

  /**
   * Sends calls as batches. An error of one call does not affect the others.
   *
   * @returns results and errors in the order of the calls
   * @throws {PageError} when the node does not respond
   */
  async batch(calls: readonly RpcCall[]): Promise<readonly (Json | PageError)[]> {
    if (calls.length > MAX_BATCH) {
      const first = await this.batch(calls.slice(0, MAX_BATCH));
      return [...first, ...(await this.batch(calls.slice(MAX_BATCH)))];
    }
    if (calls.length === 0) return [];
    const body = calls.map(({ method, params = {} }, id) => ({
      jsonrpc: "2.0",
      id,
      method,
      params,
    }));
    const response = await this.#post(body);
    if (!Array.isArray(response)) {
      resultOf(objectOf(response), "batch");
      throw new PageError("The node answered a batch with a single response.");
    }
    const byId = new Map(response.map((one: Json) => [objectOf(one)["id"], objectOf(one)]));
    return calls.map(({ method }, id) => {
      try {
        return resultOf(byId.get(id) ?? {}, method);
      } catch (error) {
        return error as PageError;
      }
    });
  }

  async #post(body: Json): Promise<Json> {
    const response = await requestNode(this.#url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    try {
      return JSON.parse(text) as Json;
    } catch {
      throw new PageError(
        `The node answered HTTP ${response.status}: ${text.slice(0, 200)}`,
        response.status,
      );
    }
  }
}

function resultOf(response: JsonObject, method: string): Json {
  const { error, result } = response;
  if (error !== undefined) {
    const { code, message, data } = objectOf(error);
    throw new PageError(textOf(message) || `${method} failed`, numberOf(code) ?? 0, data);
  }
  if (result === undefined) throw new PageError(`${method}: the response has no result.`);
  return result;
}
