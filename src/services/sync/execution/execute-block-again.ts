import type { CairoVm } from "#engine/cairo/index.ts";
import { NodeError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import {
  type EncodedClass,
  type ExecutableClass,
  executableClassOf,
  type HashedTransaction,
  type Receipt,
  type SealedBlock,
} from "#protocol/chain/index.ts";
import { compareProtocolVersions } from "#protocol/versions/index.ts";
import {
  type ChainRules,
  contextOfHeader,
  type Difference,
  DifferenceFound,
  executeBlock,
  flagsOf,
  type ReportedReceipt,
} from "#services/replay/index.ts";
import type { ExecutionRequest, SyncRefusal } from "../ports.ts";
import { resourcesRefusal } from "./compare-resources.ts";

/** Oldest protocol version whose blocks are re-executed. */
export const OLDEST_EXECUTED_VERSION = "0.13.0";

/** First version whose receipts always include gas, because their commitment covers it. */
const GAS_IN_RECEIPTS_FROM = "0.13.2";

/** Dependencies of {@link executeBlockAgain}. */
export interface ExecutionDeps {
  readonly vm: CairoVm;
  readonly rules: ChainRules;
  readonly chain: { ancestorHeader(blockNumber: number): { readonly hash: Felt } | undefined };
  /** Lets messages in between two transactions; throws once the thread has to stop. */
  readonly step: () => Promise<void>;
  /**
   * Settles when the thread stops. It cancels the virtual machine before the thread itself handles the stop.
   */
  readonly stopped: Promise<void>;
}

/**
 * Re-executes a block on the state before it, and compares the resulting receipts and state diff with the
 * received ones.
 *
 * Blocks before {@link OLDEST_EXECUTED_VERSION} are trusted to be executed correctly, and so is a genesis
 * without transactions, which has nothing to execute.
 *
 * @returns the first difference; `undefined` if none
 * @throws {NodeError} NODE_STOPPED when the thread stops during the execution
 */
export async function executeBlockAgain(
  deps: ExecutionDeps,
  { block, classes, stateBefore }: ExecutionRequest,
): Promise<SyncRefusal | undefined> {
  if (!isExecuted(block)) return undefined;
  const { vm, rules, step, stopped } = deps;
  const { header, transactions, receipts, stateDiff } = block;
  const impersonated = receipts.findIndex(({ isImpersonated }) => isImpersonated === true);
  if (impersonated >= 0) {
    const message = `transaction ${impersonated} was executed without signature validation (impersonated account): it cannot be re-executed`;
    return { check: "execution", blockNumber: header.number, message };
  }
  const context = contextOfHeader(header, rules);
  try {
    const ours = await executeBlock(
      {
        vm,
        context,
        reader: stateBefore,
        transactions,
        receipts: receipts.map((receipt, index) =>
          reportedOf(receipt, transactions[index], header),
        ),
        stateDiff,
        oldBlock: oldBlockOf(deps, header.number, context.constants.os.storedBlockHashBuffer),
        declared: declaredOf(classes),
        flags: flagsOf(rules),
      },
      {
        before: step,
        flags: () => ({}),
        async cancelled() {
          await stopped;
          throw new NodeError("NODE_STOPPED", "the node stops");
        },
        ran: () => undefined,
        included: () => undefined,
      },
    );
    return resourcesRefusal(block, ours.receipts);
  } catch (error) {
    if (!(error instanceof DifferenceFound)) throw error;
    const message = textOf(error.difference, rules.chargeFees);
    return { check: "execution", blockNumber: header.number, message };
  }
}

/** Whether a block is re-executed. */
export function isExecuted({
  header,
  transactions,
}: Pick<SealedBlock, "header" | "transactions">): boolean {
  if (header.number === 0 && transactions.length === 0) return false;
  return compareProtocolVersions(header.protocolVersion, OLDEST_EXECUTED_VERSION) >= 0;
}

function reportedOf(
  receipt: Receipt,
  hashed: HashedTransaction | undefined,
  { protocolVersion }: SealedBlock["header"],
): ReportedReceipt {
  const { actualFee, feeUnit, events, messages, status, gas } = receipt;
  const type = hashed?.transaction.type ?? "";
  const { l1Gas, l1DataGas, l2Gas } = gas;
  const hasGas =
    l1Gas + l1DataGas + l2Gas > 0n ||
    compareProtocolVersions(protocolVersion, GAS_IN_RECEIPTS_FROM) >= 0;
  const reported = { type, actualFee, feeUnit, events, messages, status };
  return hasGas ? { ...reported, gas } : { ...reported, gas: undefined };
}

function oldBlockOf(
  { chain }: Pick<ExecutionDeps, "chain">,
  blockNumber: number,
  distance: number,
): { readonly number: number; readonly hash: Felt } | undefined {
  const number = blockNumber - distance;
  const hash = number < 0 ? undefined : chain.ancestorHeader(number)?.hash;
  return hash === undefined ? undefined : { number, hash };
}

function declaredOf(classes: readonly EncodedClass[]): ReadonlyMap<Felt, ExecutableClass> {
  const declared = new Map<Felt, ExecutableClass>();
  for (const each of classes) {
    const executable = executableClassOf(each);
    if (executable !== undefined) declared.set(each.classHash, executable);
  }
  return declared;
}

/** Describes the difference, with an option that may explain it. */
function textOf({ field, ours, theirs, transaction }: Difference, chargeFees: boolean): string {
  const where =
    transaction === undefined
      ? ""
      : ` (transaction ${transaction.index}, ${hexFromFelt(transaction.hash)})`;
  const hint =
    !chargeFees && field === "receipt.actual_fee.amount"
      ? "; --no-charge-fee is for chains that take no fees"
      : "";
  return `${field}: re-execution gives ${ours}, the block has ${theirs}${where}${hint}`;
}
