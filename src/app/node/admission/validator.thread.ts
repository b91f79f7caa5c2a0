import { startValidator } from "./start-validator.ts";
import { runWorker } from "../threads/runtime.ts";

runWorker("validator", startValidator);
