import { startExecutor } from "./start-executor.ts";
import { runWorker } from "../threads/runtime.ts";

runWorker("executor", startExecutor);
