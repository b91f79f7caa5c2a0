/**
 * Serves one application with this project's HTTP server, `node:http` and `Bun.serve`: prints the
 * cost of a request, and whether each meets the needs of a node, found by trying. `docs/http.md`
 * has the results.
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
