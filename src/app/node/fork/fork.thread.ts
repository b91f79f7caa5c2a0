import { runWorker } from "../threads/runtime.ts";
import { startFork } from "./start-fork.ts";

runWorker("fork", startFork);
