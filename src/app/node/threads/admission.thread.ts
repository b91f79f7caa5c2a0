import { startAdmission } from "../admission/start-admission.ts";
import { runWorker } from "./runtime.ts";

runWorker("admission", startAdmission);
