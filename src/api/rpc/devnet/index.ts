export type {
  AppliedClass,
  BalanceUnit,
  BlockTime,
  DevnetAccess,
  DevnetFork,
  FlushedMessages,
  ForkTarget,
  MadeBlock,
  MessagingOrder,
  MintOutcome,
  MockMessageToL2,
  PredeployedAccount,
  StateDiffOutcome,
} from "./access.ts";
export { type DevnetContext, genesisNumber } from "./devnet-context.ts";
export { DEVNET_CODES, DevnetFault } from "./fault.ts";
export type { DumpAccess, DumpOn } from "./dump/access.ts";
export { composeDump } from "./dump/compose.ts";
export { decodeDump } from "./dump/entry.ts";
export { RECORDER_LIMITS, RequestRecorder } from "./dump/recorder.ts";
export { loadDump } from "./dump/replay.ts";
export type { StateDiffRequest, SuppliedClass } from "./supplied-classes.ts";
export { DEFAULT_RESTRICTED_METHODS, withRestricted } from "./restricted.ts";
export { DEVNET_METHODS, dumpedMethods, withDevnet } from "./table.ts";
