import { startSync } from "../sync/start-sync.ts";
import { runWorker } from "./runtime.ts";

runWorker("sync", startSync);
