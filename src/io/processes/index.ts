/** Form, memory and processor time of this program's processes, and a watch that reports excessive use. */
export { isCompiled } from "./is-compiled.ts";
export { processUse, type ProcessUse } from "./process-use.ts";
export { type ProcessLimits, watchProcess } from "./process-watch.ts";
