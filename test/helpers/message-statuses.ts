import { rawCall, type RunningChain } from "./binary.ts";

interface Standing {
  readonly finality_status: string;
  readonly execution_status?: string;
  readonly failure_reason?: string;
  readonly revert_reason?: string;
}

type MessageStatus = Standing & { readonly transaction_hash: string };

const FINALITIES = ["RECEIVED", "PRE_CONFIRMED", "ACCEPTED_ON_L2", "ACCEPTED_ON_L1"];

/** How far a handler is, with the outcome of its execution; what only grows while the chain runs. */
function standingOf(said: Standing | undefined): readonly [number, string] {
  if (said === undefined || said.finality_status === "RECEIVED") return [0, ""];
  const reason = said.failure_reason ?? said.revert_reason ?? "";
  return [FINALITIES.indexOf(said.finality_status), `${said.execution_status} ${reason}`];
}

/**
 * Compares the statuses of the messages of a transaction on L1 with the receipts of the handlers that they
 * name, which are read between two looks at the statuses.
 *
 * @returns what contradicts; empty where all agrees, or where the chain stopped meanwhile
 */
export async function statusFindings(
  chain: Pick<RunningChain, "url">,
  l1Hash: string,
): Promise<readonly string[]> {
  const before = await statuses(chain, l1Hash);
  const findings: string[] = [];
  for (const status of before ?? []) {
    const { transaction_hash: hash } = status;
    const receipt = await answer<Standing>(chain, "starknet_getTransactionReceipt", hash);
    const after = (await statuses(chain, l1Hash))?.find((one) => one.transaction_hash === hash);
    if (receipt === "gone" || after === undefined) continue;
    const [least, middle, most] = [status, receipt, after].map(standingOf);
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
  const said = await answer<readonly MessageStatus[]>(chain, "starknet_getMessagesStatus", l1Hash);
  return said === "gone" ? undefined : said;
}

/** `undefined` for an error of the method; `gone` while no process answers. */
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
