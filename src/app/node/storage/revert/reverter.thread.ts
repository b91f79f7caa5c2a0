import { startReverter } from "./start-reverter.ts";
import { runWorker } from "../../threads/runtime.ts";

runWorker("reverter", startReverter);
