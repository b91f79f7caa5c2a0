import type { HttpRequest } from "./message.ts";
import { type RouteAnswer, routedMethod } from "./routing.ts";

/** Most targets that are remembered of each method: clients ask for few. */
const MAX_TARGETS = 64;

/** A longer target is looked up again. */
const MAX_TARGET_LENGTH = 256;

/**
 * Who answers a method and a target, as the routes have told before: they tell the same again, for
 * nothing but these two is looked at.
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
    // The parser knows some fifty methods.
    if (answers === undefined) this.#answers.set(routed, (answers = new Map()));
    if (answers.size >= MAX_TARGETS) answers.clear();
    answers.set(url, answer);
  }
}
