import { startVerifier } from "../sync/start-verifier.ts";
import { runWorker } from "./runtime.ts";

runWorker("verifier", startVerifier);
