export {
  Bootstrap,
  type BootstrapOptions,
  type BootstrapReport,
  type StepOutcome,
} from "./run/bootstrap.ts";
export { type Step, STEP_GROUPS, type StepGroup } from "./run/step.ts";
export type { EarlierContracts } from "./run/begin.ts";
export { genesisFile } from "./plan/genesis.ts";
export { type BootstrapPlan, overrideLine } from "./plan/plan.ts";
export { planLines } from "./plan/plan-lines.ts";
export { readJournal } from "./plan/journal.ts";
export { ETH_ON_L1, ETH_TEXT } from "./plan/plan.ts";
export { l1Artifact, type L1ContractName } from "./l1/artifacts.ts";
export { L1Account, type SignedL1 } from "./l1/l1-account.ts";
export type { L1Call } from "./l1/l1-reader.ts";
export { L2Account, type SignedL2 } from "./l2/l2-account.ts";
export { RpcNode } from "./net/json-rpc.ts";
export { type Waiting, waitFor } from "./net/wait.ts";
export { type Hex, readL1Address, readL2Address } from "./settings/forms.ts";
export {
  type BootstrapSettings,
  type BridgeSettings,
  readBridgeSettings,
  readSettings,
  type ReadSettings,
} from "./settings/read-settings.ts";
export { type Variable, type VariableName, VARIABLES } from "./settings/variables.ts";
