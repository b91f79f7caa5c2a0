/**
 * Serves one application by our HTTP server, by `node:http` and by `Bun.serve`: what a request takes, and
 * what a node needs of a server, each row by trying it. `docs/http.md` has both.
 *
 *     ./scripts/bench http [load|probes]
 */
import { withServers } from "./http/children.ts";
import { printLoads } from "./http/load.ts";
import { printProbes } from "./http/probe.ts";
import { FLOOD_PROBES } from "./http/probe-floods.ts";
import { REQUEST_PROBES } from "./http/probe-requests.ts";
import { TIME_PROBES } from "./http/probe-times.ts";
import { USUAL } from "./http/settings.ts";

const [part] = process.argv.slice(2);
if (part !== "probes") await withServers(USUAL, printLoads);
if (part !== "load") await printProbes([...REQUEST_PROBES, ...TIME_PROBES, ...FLOOD_PROBES]);
