import { startVerifier } from "./start-verifier.ts";
import { runWorker } from "../threads/runtime.ts";

runWorker("verifier", startVerifier);
