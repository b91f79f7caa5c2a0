import { startExecutor } from "../production/start-executor.ts";
import { runWorker } from "./runtime.ts";

runWorker("executor", startExecutor);
