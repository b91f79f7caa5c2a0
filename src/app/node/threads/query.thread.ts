import { startQuery } from "../query/start-query.ts";
import { runWorker } from "./runtime.ts";

runWorker("query", startQuery);
