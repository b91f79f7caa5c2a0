export type {
  BalanceUnit,
  BlockTime,
  DevnetAccess,
  FlushedMessages,
  MadeBlock,
  MessagingOrder,
  MintOutcome,
  MockMessageToL2,
  PredeployedAccount,
} from "./access.ts";
export type { DevnetContext } from "./devnet-context.ts";
export { DEVNET_CODES, DevnetFault } from "./fault.ts";
export type { DumpAccess, DumpOn } from "./dump/access.ts";
export { composeDump } from "./dump/compose.ts";
export { decodeDump } from "./dump/entry.ts";
export { RECORDER_LIMITS, RequestRecorder } from "./dump/recorder.ts";
export { loadDump } from "./dump/replay.ts";
export { DEFAULT_RESTRICTED_METHODS, withRestricted } from "./restricted.ts";
export { DEVNET_METHODS, dumpedMethods, withDevnet } from "./table.ts";
