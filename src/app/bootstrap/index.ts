export {
  type BootstrapSettings,
  readSettings,
  type ReadSettings,
} from "./settings/read-settings.ts";
export { type Variable, type VariableName, VARIABLES } from "./settings/variables.ts";
