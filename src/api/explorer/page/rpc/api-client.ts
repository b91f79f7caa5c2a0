import { type Json, type JsonObject, objectOf, textOf } from "./json.ts";
import { PageError } from "./page-error.ts";
import { requestNode } from "./request-node.ts";

/** Client of the explorer's own data. */
export class ApiClient {
  readonly #url: string;

  /** @param url - with a slash at the end */
  constructor(url: string) {
    this.#url = url;
  }

  /**
   * @param path - such as `transfers`
   * @param query - parameters; absent ones are left away
   * @throws {PageError} with the error of the node, or when it does not respond
   */
  async get(
    path: string,
    query: Readonly<Record<string, string | null>> = {},
  ): Promise<JsonObject> {
    const url = new URL(path, this.#url);
    for (const [name, value] of Object.entries(query)) {
      if (value !== null) url.searchParams.set(name, value);
    }
    return answerOf(await requestNode(url));
  }

  /**
   * @param path - such as `simulate`
   * @throws {PageError} as {@link get}
   */
  async post(path: string, body: JsonObject): Promise<JsonObject> {
    const response = await requestNode(new URL(path, this.#url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return answerOf(response);
  }
}

async function answerOf(response: Response): Promise<JsonObject> {
  const document = await documentOf(response);
  if (response.ok) return objectOf(document);
  const { message } = objectOf(objectOf(document)["error"]);
  throw new PageError(
    textOf(message) || `The node answered HTTP ${response.status}.`,
    response.status,
  );
}

async function documentOf(response: Response): Promise<Json> {
  try {
    return (await response.json()) as Json;
  } catch {
    return null;
  }
}
