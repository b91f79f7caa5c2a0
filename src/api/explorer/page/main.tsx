/** Entry of the explorer's page. */
import { render } from "hono/jsx/dom";
import { App } from "./app.tsx";
import { followChain } from "./state/chain.ts";
import { followPreferences } from "./state/preferences.ts";
import { followStatus } from "./state/node-status.ts";
import { followRoute } from "./state/route.ts";

followPreferences();
followRoute();
followChain();
followStatus();
const root = document.querySelector<HTMLElement>("#app");
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}
