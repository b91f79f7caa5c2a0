import { startQuery } from "./start-query.ts";
import { runWorker } from "../threads/runtime.ts";

runWorker("query", startQuery);
