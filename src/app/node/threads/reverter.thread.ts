import { startReverter } from "../revert/start-reverter.ts";
import { runWorker } from "./runtime.ts";

runWorker("reverter", startReverter);
