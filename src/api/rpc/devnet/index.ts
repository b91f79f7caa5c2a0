export type {
  BalanceUnit,
  DevnetAccess,
  MadeBlock,
  MintOutcome,
  MockMessageToL2,
  PredeployedAccount,
} from "./access.ts";
export { DEVNET_CODES, DevnetFault } from "./fault.ts";
export { DEVNET_METHODS, withDevnet } from "./table.ts";
