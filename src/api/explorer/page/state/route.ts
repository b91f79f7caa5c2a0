import { hrefOf, type Route, routeOf } from "./route-text.ts";
import { Store } from "./store.ts";

export { hrefOf, type Route } from "./route-text.ts";

/** Current position; follows the browser's history. */
export const route = new Store<Route>(routeOf(globalThis.location?.hash ?? ""));

/** Keeps {@link route} up to date. */
export function followRoute(): void {
  globalThis.addEventListener("hashchange", () => {
    route.set(routeOf(globalThis.location.hash));
    globalThis.scrollTo(0, 0);
    document.querySelector("main")?.focus({ preventScroll: true });
  });
}

/** Changes one parameter of the address, and replaces the entry of the history. */
export function setQuery(name: string, value: string | null): void {
  const { view, id, query } = route.value;
  const next = new URLSearchParams(query);
  if (value === null) next.delete(name);
  else next.set(name, value);
  globalThis.history.replaceState(null, "", hrefOf(view, id, Object.fromEntries(next)));
  route.set({ view, id, query: next });
}
