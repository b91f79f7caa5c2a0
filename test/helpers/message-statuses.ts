import { rawCall, type RunningChain } from "./binary.ts";

interface ExecutionStatus {
  readonly finality_status: string;
  readonly execution_status?: string;
  readonly failure_reason?: string;
  readonly revert_reason?: string;
}

type MessageStatus = ExecutionStatus & { readonly transaction_hash: string };

const FINALITIES = ["RECEIVED", "PRE_CONFIRMED", "ACCEPTED_ON_L2", "ACCEPTED_ON_L1"];

/**
 * Stage of a handler, with the outcome of its execution; it never goes back while the chain runs.
 */
function statusOf(status: ExecutionStatus | undefined): readonly [number, string] {
  if (status === undefined || status.finality_status === "RECEIVED") return [0, ""];
  const reason = status.failure_reason ?? status.revert_reason ?? "";
  return [FINALITIES.indexOf(status.finality_status), `${status.execution_status} ${reason}`];
}

/**
 * Compares the statuses of the messages of an L1 transaction with the receipts of their handlers,
 * which are read between two requests for the statuses.
 *
 * @returns contradictions; empty if all agree, or if the chain stopped meanwhile
 */
export async function statusFindings(
  chain: Pick<RunningChain, "url">,
  l1Hash: string,
): Promise<readonly string[]> {
  const before = await statuses(chain, l1Hash);
  const findings: string[] = [];
  for (const status of before ?? []) {
    const { transaction_hash: hash } = status;
    const receipt = await answer<ExecutionStatus>(chain, "starknet_getTransactionReceipt", hash);
    const after = (await statuses(chain, l1Hash))?.find((one) => one.transaction_hash === hash);
    if (receipt === "gone" || after === undefined) continue;
    const [least, middle, most] = [status, receipt, after].map(statusOf);
    const isBetween =
      Number(least?.[0]) <= Number(middle?.[0]) && Number(middle?.[0]) <= Number(most?.[0]);
    const outcomes = new Set([least, middle, most].map((each) => each?.[1]).filter(Boolean));
    if (isBetween && outcomes.size <= 1) continue;
    findings.push(`${hash}: ${JSON.stringify([status, receipt, after])}`);
  }
  return findings;
}

async function statuses(
  chain: Pick<RunningChain, "url">,
  l1Hash: string,
): Promise<readonly MessageStatus[] | undefined> {
  const status = await answer<readonly MessageStatus[]>(
    chain,
    "starknet_getMessagesStatus",
    l1Hash,
  );
  return status === "gone" ? undefined : status;
}

/** Result of a method; `undefined` for an error; `gone` while no process responds. */
async function answer<T>(
  { url }: Pick<RunningChain, "url">,
  method: string,
  hash: string,
): Promise<T | undefined | "gone"> {
  try {
    return (await rawCall(url, method, [hash])).result as T | undefined;
  } catch {
    return "gone";
  }
}
