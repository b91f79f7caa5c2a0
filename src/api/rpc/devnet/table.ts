import type { Method } from "../method.ts";
import type { BoundMethod, LocalMethod } from "../bound-method.ts";
import type { ServerContext } from "../context.ts";
import { createMethodTables } from "../methods.ts";
import { boundTo, type MethodTable } from "../table.ts";
import type { DevnetContext } from "./devnet-context.ts";
import { withRecording } from "./dump/recording.ts";
import { abortBlocks } from "./methods/abortBlocks.ts";
import { acceptOnL1 } from "./methods/acceptOnL1.ts";
import { applyStateDiff } from "./methods/applyStateDiff.ts";
import { autoImpersonate } from "./methods/autoImpersonate.ts";
import { dump } from "./methods/dump.ts";
import { createBlock } from "./methods/createBlock.ts";
import { getAccountBalance } from "./methods/getAccountBalance.ts";
import { getConfig } from "./methods/getConfig.ts";
import { getPredeployedAccounts } from "./methods/getPredeployedAccounts.ts";
import { impersonateAccount } from "./methods/impersonateAccount.ts";
import { increaseTime } from "./methods/increaseTime.ts";
import {
  generateBlock,
  increaseNextBlockTimestamp,
  nextBlockTimestamp,
  predeployedAccounts,
  setNextBlockTimestamp,
  txpoolContent,
} from "./methods/katana.ts";
import { loadMethod } from "./methods/load.ts";
import { mint } from "./methods/mint.ts";
import { postmanConsumeMessageFromL2 } from "./methods/postmanConsumeMessageFromL2.ts";
import { postmanFlush } from "./methods/postmanFlush.ts";
import { postmanLoad } from "./methods/postmanLoad.ts";
import { postmanSendMessageToL2 } from "./methods/postmanSendMessageToL2.ts";
import { restart } from "./methods/restart.ts";
import { setErc20Balance } from "./methods/setErc20Balance.ts";
import { setGasPrice } from "./methods/setGasPrice.ts";
import { setStorageAt } from "./methods/setStorageAt.ts";
import { setTime } from "./methods/setTime.ts";
import { stopAutoImpersonate } from "./methods/stopAutoImpersonate.ts";
import { stopImpersonateAccount } from "./methods/stopImpersonateAccount.ts";

/** Methods for developers, by full name: starknet-devnet's, then Katana's. */
export const DEVNET_METHODS: readonly Method<DevnetContext>[] = [
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
  postmanLoad,
  impersonateAccount,
  stopImpersonateAccount,
  autoImpersonate,
  stopAutoImpersonate,
  acceptOnL1,
  applyStateDiff,
  setErc20Balance,
  abortBlocks,
  restart,
  dump,
  loadMethod(dumpedMethods),
  generateBlock,
  nextBlockTimestamp,
  setNextBlockTimestamp,
  increaseNextBlockTimestamp,
  setStorageAt,
  predeployedAccounts,
  txpoolContent,
];

/** Clients of starknet-devnet use this page to detect whether it is running. */
const PAGES = new Map([["/is_alive", "Alive!!!"]]);

/** Adds the developer methods to a table; they run on the main thread only. */
export function withDevnet(table: MethodTable<ServerContext>): MethodTable<DevnetContext> {
  const developer = developerMethods(table);
  return {
    ...table,
    pages: PAGES,
    developer,
    find(wireName) {
      const bound = developer.get(wireName) ?? table.find(wireName);
      return bound && withRecording(bound, wireName);
    },
    nearest: (wireName) => alike([...developer.keys()], wireName) ?? table.nearest(wireName),
  };
}

/**
 * Finds a method in every version that has it, without recording and restrictions: for the entries of dumps.
 */
export function dumpedMethods(wireName: string): readonly LocalMethod<DevnetContext>[] {
  known ??= createMethodTables().map((table) => [table, developerMethods(table)] as const);
  return known.flatMap(([table, methods]) => {
    const bound = methods.get(wireName) ?? table.find(wireName);
    return bound === undefined || bound.runsOn === "query" ? [] : bound;
  });
}

let known: readonly (readonly [MethodTable<DevnetContext>, DeveloperMethods])[] | undefined;

type DeveloperMethods = ReadonlyMap<string, BoundMethod<DevnetContext>>;

function developerMethods({ spec }: Pick<MethodTable, "spec">): DeveloperMethods {
  return boundTo(spec, DEVNET_METHODS);
}

/** Returns the name that differs only in case. */
function alike(names: readonly string[], wireName: string): string | undefined {
  const lowered = wireName.toLowerCase();
  return names.find((name) => name.toLowerCase() === lowered);
}
