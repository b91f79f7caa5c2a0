import { startCommitter } from "./start-committer.ts";
import { runWorker } from "../threads/runtime.ts";

runWorker("committer", startCommitter);
