import { startCommitter } from "../production/start-committer.ts";
import { runWorker } from "./runtime.ts";

runWorker("committer", startCommitter);
