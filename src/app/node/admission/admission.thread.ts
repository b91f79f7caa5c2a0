import { startAdmission } from "./start-admission.ts";
import { runWorker } from "../threads/runtime.ts";

runWorker("admission", startAdmission);
