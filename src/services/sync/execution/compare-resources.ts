import type { Receipt, SealedBlock } from "#protocol/chain/index.ts";
import { BUILTIN_NAMES, compareProtocolVersions } from "#protocol/versions/index.ts";
import type { SyncRefusal } from "../ports.ts";

/** First version whose gas is counted as today; older receipts count some resources differently. */
const COMPARED_FROM = "0.13.4";

/**
 * Compares the execution resources of receipts, which no hash covers, with those of re-executing the block:
 * steps, memory holes, builtins and gas for data availability.
 *
 * @param ours - receipts of the re-execution, one per transaction
 * @returns the first difference; `undefined` if none, or for blocks before {@link COMPARED_FROM}
 */
export function resourcesRefusal(
  { header, receipts }: Pick<SealedBlock, "header" | "receipts">,
  ours: readonly Receipt[],
): SyncRefusal | undefined {
  if (compareProtocolVersions(header.protocolVersion, COMPARED_FROM) < 0) return undefined;
  for (const [i, receipt] of ours.entries()) {
    const theirs = receipts[i];
    if (theirs === undefined) continue;
    const reported = new Map(amountsOf(theirs));
    for (const [name, amount] of amountsOf(receipt)) {
      const other = reported.get(name);
      if (other === amount) continue;
      const field = `receipt.execution_resources.${name}`;
      const message = `${field}: re-execution gives ${amount}, the block has ${other} (transaction ${i})`;
      return { check: "execution", blockNumber: header.number, message };
    }
  }
  return undefined;
}

function amountsOf({ vmResources, daGas }: Receipt): (readonly [name: string, amount: bigint])[] {
  const { steps, memoryHoles, builtins } = vmResources;
  return [
    ["n_steps", BigInt(steps)],
    ["n_memory_holes", BigInt(memoryHoles)],
    ...BUILTIN_NAMES.map((name) => [`${name}_builtin`, BigInt(builtins[name] ?? 0)] as const),
    ["data_availability.l1_gas", daGas.l1Gas],
    ["data_availability.l1_data_gas", daGas.l1DataGas],
    ["data_availability.l2_gas", daGas.l2Gas],
  ];
}
