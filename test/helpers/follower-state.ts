import { expect } from "bun:test";
import { blockHash } from "./gateway-chain.ts";
import type { RunningChain, RunningNode } from "./binary.ts";
import { waitForBlock } from "./follower.ts";

/** Response of `/ready`. */
export interface ReadyAnswer {
  readonly ready: boolean;
  readonly block_number?: number;
  readonly reason?: string;
}

/** Requests `/ready` of a node. */
export async function readyOf({ url }: Pick<RunningNode, "url">): Promise<ReadyAnswer> {
  return (await (await fetch(`${url}/ready`)).json()) as ReadyAnswer;
}

/**
 * Reads a metric of a node.
 *
 * @returns its values by labels, such as `{check="signature"}`; the key is empty for a value
 *   without labels
 */
export async function metricOf(
  { metricsPort }: Pick<RunningNode, "metricsPort">,
  name: string,
): Promise<Record<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const values: Record<string, number> = {};
  for (const line of text.split("\n")) {
    const [, found, labels = "", value] = /^(\w+)(\{.*\})? (\S+)$/.exec(line) ?? [];
    if (found === name) values[labels] = Number(value);
  }
  return values;
}

/** Waits until a condition holds. @throws with the node's output */
export async function untilSo(
  what: string,
  node: Pick<RunningNode, "output">,
  isSo: () => Promise<boolean> | boolean,
  timeoutMs = 60_000,
): Promise<void> {
  const endsAtMs = Date.now() + timeoutMs;
  while (!(await isSo())) {
    if (Date.now() > endsAtMs) throw new TypeError(`never: ${what}:\n${node.output()}`);
    await Bun.sleep(50);
  }
}

/** Waits until the reason in a node's `/ready` matches. */
export function untilRefused(
  node: Pick<RunningNode, "url" | "output">,
  reason: RegExp,
  timeoutMs?: number,
): Promise<void> {
  const isSo = async (): Promise<boolean> => reason.test((await readyOf(node)).reason ?? "");
  return untilSo(`refused by ${reason.source}`, node, isSo, timeoutMs);
}

/** Waits until a node has the newest block of a chain, and compares their hashes. */
export async function untilCaughtUp(
  node: Pick<RunningNode, "url" | "provider" | "output">,
  chain: Pick<RunningChain, "url" | "provider">,
  timeoutMs?: number,
): Promise<void> {
  const newest = await chain.provider.getBlockNumber();
  await waitForBlock(node, newest, timeoutMs);
  expect(await blockHash(node, newest)).toBe(await blockHash(chain, newest));
}
