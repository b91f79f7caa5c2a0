import type { HttpRequest } from "./message.ts";
import { type RouteAnswer, routedMethod } from "./routing.ts";

/** Maximum targets cached per method: clients request few different ones. */
const MAX_TARGETS = 64;

/** Longer targets are not cached. */
const MAX_TARGET_LENGTH = 256;

/**
 * Cache of the handler of each method and target. Entries stay valid because routing depends on nothing else.
 */
export class KnownRoutes {
  readonly #answers = new Map<string, Map<string, RouteAnswer>>();

  get({ method, url }: HttpRequest): RouteAnswer | undefined {
    return this.#answers.get(routedMethod(method))?.get(url);
  }

  set({ method, url }: HttpRequest, answer: RouteAnswer): void {
    if (url.length > MAX_TARGET_LENGTH) return;
    const routed = routedMethod(method);
    let answers = this.#answers.get(routed);
    // Needs no limit: the parser accepts some fifty methods.
    if (answers === undefined) this.#answers.set(routed, (answers = new Map()));
    if (answers.size >= MAX_TARGETS) answers.clear();
    answers.set(url, answer);
  }
}
