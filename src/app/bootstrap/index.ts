export {
  Bootstrap,
  type BootstrapOptions,
  type BootstrapReport,
  type StepOutcome,
} from "./run/bootstrap.ts";
export { type Step, STEP_GROUPS, type StepGroup } from "./run/step.ts";
export { type BootstrapPlan, overrideLine } from "./plan/plan.ts";
export { planLines } from "./plan/plan-lines.ts";
export { type Hex, readL1Address } from "./settings/forms.ts";
export {
  type BootstrapSettings,
  readSettings,
  type ReadSettings,
} from "./settings/read-settings.ts";
export { type Variable, type VariableName, VARIABLES } from "./settings/variables.ts";
