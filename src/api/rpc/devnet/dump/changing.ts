import { METHOD_PREFIXES } from "../../table.ts";
import type { ChangeKind } from "./recorder.ts";

/**
 * What is done with a request that changes the chain; `abort` and `restart` change what is recorded. Of L1
 * nothing is: not how it is reached (`load`), and what came from it (`flush`) is on the chain.
 */
type Recording = ChangeKind | "abort" | "restart" | "load" | "flush";

/** The methods that change the chain and that a dump can have, by whole name. */
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

/** A method by the name that dumps have: the network's prefix in place of another one to the same effect. */
export function dumpedName(wireName: string): string {
  const [first, ...aliases] = METHOD_PREFIXES;
  const alias = aliases.find((prefix) => wireName.startsWith(prefix));
  return alias === undefined ? wireName : first + wireName.slice(alias.length);
}

/** What is done with a request for a method by its {@link dumpedName}; `undefined`: it changes nothing. */
export function recordingOf(name: string): Recording | undefined {
  return CHANGING.get(name);
}

/** Whether an entry of a dump may name this method. */
export function isDumped(name: string): boolean {
  return CHANGING.has(name) && CHANGING.get(name) !== "restart";
}
