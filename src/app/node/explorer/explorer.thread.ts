import { runWorker } from "../threads/runtime.ts";
import { startExplorer } from "./start-explorer.ts";

runWorker("explorer", startExplorer);
