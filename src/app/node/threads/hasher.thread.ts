import { startHasher } from "../production/start-hasher.ts";
import { runWorker } from "./runtime.ts";

runWorker("hasher", startHasher);
