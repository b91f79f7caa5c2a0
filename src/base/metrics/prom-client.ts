/**
 * The classes of prom-client that this program uses, from their own files. The package's index also loads a
 * push gateway, and with it the HTTP client of Node: tens of milliseconds of each start.
 */
export { default as Counter } from "prom-client/lib/counter.js";
export { default as Gauge } from "prom-client/lib/gauge.js";
export { default as Histogram } from "prom-client/lib/histogram.js";
export { default as Registry } from "prom-client/lib/registry.js";
