import { hexFromFelt } from "#base/primitives/index.ts";
import type { Sides } from "./sides.ts";
import { readTransfer, type SentName } from "./transfer-file.ts";

/**
 * Returns the state of a transfer, one line per transaction. Sends nothing.
 *
 * @returns `undefined` when the file does not exist
 * @throws {ConfigError} when it is not a transfer file
 */
export async function transferStatus(
  { l1, l2 }: Sides,
  path: string,
): Promise<readonly string[] | undefined> {
  const content = readTransfer(path);
  if (content === undefined) return undefined;
  const { transfer, sent, isDone } = content;
  const { kind, amount, l1_token: token, l1_account: onL1, l2_account: onL2 } = transfer;
  const way = kind === "deposit" ? `from ${onL1} to ${onL2}` : `from ${onL2} to ${onL1}`;
  const lines = [`${kind} of ${amount} (smallest units) of ${token} ${way}`];
  for (const name of ["mint", "approve", "deposit", "payout"] as const satisfies SentName[]) {
    const signed = sent[name];
    if (signed === undefined) continue;
    const receipt = await l1.receipt(signed.hash, name);
    const how =
      receipt === undefined ? "in no block yet" : receipt.isSuccess ? "in a block" : "failed";
    lines.push(`${name} on L1: ${how}, transaction ${signed.hash}`);
  }
  if (sent.burn !== undefined) {
    const how = (await l2.outcomeOf(sent.burn.hash)) ?? "not executed yet";
    lines.push(`burn on L2: ${how}, transaction ${hexFromFelt(BigInt(sent.burn.hash))}`);
  }
  lines.push(
    isDone ? "done" : `not done: run \`bridge ${kind === "deposit" ? kind : "withdraw"}\` again`,
  );
  return lines;
}
