import type { Method } from "../method.ts";
import type { MethodTable } from "../table.ts";
import { acceptOnL1 } from "./methods/acceptOnL1.ts";
import { createBlock } from "./methods/createBlock.ts";
import { getAccountBalance } from "./methods/getAccountBalance.ts";
import { getConfig } from "./methods/getConfig.ts";
import { getPredeployedAccounts } from "./methods/getPredeployedAccounts.ts";
import { increaseTime } from "./methods/increaseTime.ts";
import {
  generateBlock,
  increaseNextBlockTimestamp,
  nextBlockTimestamp,
  predeployedAccounts,
  setNextBlockTimestamp,
} from "./methods/katana.ts";
import { mint } from "./methods/mint.ts";
import { postmanConsumeMessageFromL2 } from "./methods/postmanConsumeMessageFromL2.ts";
import { postmanFlush } from "./methods/postmanFlush.ts";
import { postmanSendMessageToL2 } from "./methods/postmanSendMessageToL2.ts";
import { setGasPrice } from "./methods/setGasPrice.ts";
import { setTime } from "./methods/setTime.ts";

/** Methods for developers, by their whole names: starknet-devnet's, then Katana's. */
export const DEVNET_METHODS: readonly Method[] = [
  getPredeployedAccounts,
  getAccountBalance,
  getConfig,
  mint,
  createBlock,
  setTime,
  increaseTime,
  setGasPrice,
  postmanSendMessageToL2,
  postmanConsumeMessageFromL2,
  postmanFlush,
  acceptOnL1,
  generateBlock,
  nextBlockTimestamp,
  setNextBlockTimestamp,
  increaseNextBlockTimestamp,
  predeployedAccounts,
];

/** How clients of starknet-devnet find out whether it runs. */
const PAGES = new Map([["/is_alive", "Alive!!!"]]);

/** A table with the methods for developers beside its own; they are on the main thread only. */
export function withDevnet(table: MethodTable): MethodTable {
  const methods = new Map(DEVNET_METHODS.map((method) => [method.name, method.bind(table.spec)]));
  return {
    ...table,
    pages: PAGES,
    find: (wireName) => methods.get(wireName) ?? table.find(wireName),
    nearest: (wireName) => alike([...methods.keys()], wireName) ?? table.nearest(wireName),
  };
}

/** The name that differs in small and capital letters only. */
function alike(names: readonly string[], wireName: string): string | undefined {
  const said = wireName.toLowerCase();
  return names.find((name) => name.toLowerCase() === said);
}
