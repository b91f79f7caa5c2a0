import type { Method } from "../method.ts";
import type { AdminContext } from "./admin-context.ts";
import { addL1HandlerMessage } from "./methods/addL1HandlerMessage.ts";
import { closeBlock } from "./methods/closeBlock.ts";
import { dropTransaction } from "./methods/dropTransaction.ts";
import { flushMempool } from "./methods/flushMempool.ts";
import { getBlockBouncerWeights } from "./methods/getBlockBouncerWeights.ts";
import { getMempool } from "./methods/getMempool.ts";
import { ping } from "./methods/ping.ts";
import { revertTo } from "./methods/revertTo.ts";
import { setLogLevel } from "./methods/setLogLevel.ts";
import { shutdown } from "./methods/shutdown.ts";
import { status } from "./methods/status.ts";

/** Admin methods, by full name. */
export const ADMIN_METHODS: readonly Method<AdminContext>[] = [
  ping,
  status,
  getMempool,
  dropTransaction,
  flushMempool,
  closeBlock,
  addL1HandlerMessage,
  getBlockBouncerWeights,
  revertTo,
  setLogLevel,
  shutdown,
];
