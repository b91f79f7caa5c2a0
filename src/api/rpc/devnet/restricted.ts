import type { LocalMethod, MethodInfo } from "../bound-method.ts";
import { METHOD_PREFIXES, type MethodTable } from "../table.ts";
import { DEVNET_CODES, DevnetFault } from "./fault.ts";

/**
 * Methods that a shared development chain forbids by default: those of starknet-devnet, and our method that
 * does the same as one of them.
 */
export const DEFAULT_RESTRICTED_METHODS: readonly string[] = [
  "devnet_applyStateDiff",
  "devnet_setErc20Balance",
  "devnet_mint",
  "devnet_load",
  "devnet_restart",
  "devnet_createBlock",
  "devnet_abortBlocks",
  "devnet_impersonateAccount",
  "devnet_autoImpersonate",
  "devnet_getPredeployedAccounts",
];

/**
 * Returns a table in which some methods respond "Method forbidden" (-32604), whatever their parameters.
 *
 * @param names - wire names; a method of the specification is forbidden with each of its prefixes
 */
export function withRestricted<C>(table: MethodTable<C>, names: readonly string[]): MethodTable<C> {
  const restricted = new Set(names.flatMap(wireNames));
  return {
    ...table,
    find(wireName) {
      const bound = table.find(wireName);
      return bound !== undefined && restricted.has(wireName) ? forbidden(bound) : bound;
    },
  };
}

function wireNames(name: string): readonly string[] {
  const prefix = METHOD_PREFIXES.find((known) => name.startsWith(known));
  if (prefix === undefined) return [name];
  return METHOD_PREFIXES.map((known) => known + name.slice(prefix.length));
}

function forbidden({ name, summary, errors, params, answer }: MethodInfo): LocalMethod<unknown> {
  return {
    name,
    summary,
    errors,
    params,
    answer,
    runsOn: "main",
    cacheKey: null,
    invoke() {
      throw new DevnetFault("Method forbidden", DEVNET_CODES.forbidden);
    },
  };
}
