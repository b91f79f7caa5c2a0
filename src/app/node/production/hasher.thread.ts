import { startHasher } from "./start-hasher.ts";
import { runWorker } from "../threads/runtime.ts";

runWorker("hasher", startHasher);
