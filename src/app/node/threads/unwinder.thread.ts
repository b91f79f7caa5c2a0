import { startUnwinder } from "../revert/start-unwinder.ts";
import { runWorker } from "./runtime.ts";

runWorker("unwinder", startUnwinder);
