import { startValidator } from "../admission/start-validator.ts";
import { runWorker } from "./runtime.ts";

runWorker("validator", startValidator);
