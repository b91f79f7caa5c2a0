import { startSync } from "./start-sync.ts";
import { runWorker } from "../threads/runtime.ts";

runWorker("sync", startSync);
