/** What processes of this program take of the machine, and the end of those that take too much. */
export { processUse, type ProcessUse } from "./process-use.ts";
export { type ProcessLimits, watchProcess } from "./process-watch.ts";
