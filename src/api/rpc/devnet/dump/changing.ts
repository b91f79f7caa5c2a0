import { METHOD_PREFIXES } from "../../table.ts";
import type { ChangeKind } from "./recorder.ts";

/**
 * Handling of a request that changes the chain. `abort` and `restart` change the recording itself. L1 is not
 * recorded: neither its connection (`load`), nor messages from it (`flush`), which are on the chain.
 */
type Recording = ChangeKind | "abort" | "restart" | "load" | "flush";

/** Methods that change the chain and may occur in a dump, by full name. */
const CHANGING: ReadonlyMap<string, Recording> = new Map<string, Recording>([
  ["starknet_addInvokeTransaction", "transaction"],
  ["starknet_addDeclareTransaction", "transaction"],
  ["starknet_addDeployAccountTransaction", "transaction"],
  ["devnet_mint", "transaction"],
  ["devnet_postmanSendMessageToL2", "transaction"],
  ["devnet_createBlock", "block"],
  ["devnet_increaseTime", "block"],
  ["dev_generateBlock", "block"],
  ["devnet_setTime", "next"],
  ["devnet_setGasPrice", "next"],
  ["dev_setNextBlockTimestamp", "next"],
  ["dev_increaseNextBlockTimestamp", "next"],
  ["dev_setStorageAt", "write"],
  ["devnet_setErc20Balance", "write"],
  ["devnet_applyStateDiff", "write"],
  ["devnet_impersonateAccount", "now"],
  ["devnet_stopImpersonateAccount", "now"],
  ["devnet_autoImpersonate", "now"],
  ["devnet_stopAutoImpersonate", "now"],
  ["devnet_acceptOnL1", "now"],
  ["devnet_postmanLoad", "load"],
  ["devnet_postmanFlush", "flush"],
  ["devnet_postmanConsumeMessageFromL2", "now"],
  ["devnet_abortBlocks", "abort"],
  ["devnet_restart", "restart"],
]);

/** Returns the name of a method in dumps: with the network's prefix instead of an alias. */
export function dumpedName(wireName: string): string {
  const [first, ...aliases] = METHOD_PREFIXES;
  const alias = aliases.find((prefix) => wireName.startsWith(prefix));
  return alias === undefined ? wireName : first + wireName.slice(alias.length);
}

/**
 * Returns how requests for a method are handled, by its {@link dumpedName}; `undefined` if it changes
 * nothing.
 */
export function recordingOf(name: string): Recording | undefined {
  return CHANGING.get(name);
}

/** Whether an entry of a dump may contain this method. */
export function isDumped(name: string): boolean {
  return CHANGING.has(name) && CHANGING.get(name) !== "restart";
}
