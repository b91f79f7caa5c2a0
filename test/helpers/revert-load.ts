import { writeFileSync } from "node:fs";
import { hexFromFelt, shortStringFromFelt } from "#base/primitives/index.ts";
import { ASYNC_SUBMISSION, freePort } from "./binary.ts";
import { signedTransfer } from "./load.ts";
import type { Random } from "./random.ts";
import type { UsedChain } from "./use-chain.ts";

/** A chain whose blocks can be reverted by every available method. */
export interface RevertableChain {
  readonly chain: UsedChain;
  readonly chainId: string;
  readonly adminUrl: string;
}

/** Result of a request, or its error. */
export interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

const TOKEN = "e2e-revert-token-0123456789";

/** Starts a development chain with admin methods. */
export async function startRevertableChain(
  chain: UsedChain,
  args: readonly string[] = [],
): Promise<RevertableChain> {
  const port = await freePort();
  const tokenFile = chain.folder.file("admin.token");
  writeFileSync(tokenFile, TOKEN, { mode: 0o600 });
  const admin = ["--rpc-admin-port", String(port), "--rpc-admin-token-file", tokenFile];
  await chain.start({ env: ASYNC_SUBMISSION, args: [...admin, ...args] });
  const chainId = shortStringFromFelt(BigInt(await chain.provider.getChainId()));
  return { chain, chainId, adminUrl: `http://127.0.0.1:${port}` };
}

/**
 * Sends one JSON-RPC request that must be served in time.
 *
 * @throws {TypeError} at the timeout
 */
export async function ask(
  url: string,
  method: string,
  params: unknown = [],
  timeoutMs = 60_000,
): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return post(url, method, body, timeoutMs);
}

async function post(url: string, what: string, body: string, timeoutMs: number): Promise<Answer> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const headers = { "content-type": "application/json", authorization: `Bearer ${TOKEN}` };
  try {
    const response = await fetch(url, { method: "POST", headers, body, signal: timeout });
    return (await response.json()) as Answer;
  } catch (error) {
    if (timeout.aborted) throw new TypeError(`${what} was not answered in ${timeoutMs} ms`);
    throw error;
  }
}

interface Tip {
  readonly block_number: number;
  readonly block_hash: string;
}

/** Reverts some of the newest blocks, or all. */
export async function revertOnce(
  { chain, adminUrl }: RevertableChain,
  random: Random,
): Promise<Answer & { readonly method: string }> {
  const answer = await ask(chain.url, "starknet_blockHashAndNumber");
  const tip = answer.result as Tip | undefined;
  if (tip === undefined) return { method: "starknet_blockHashAndNumber", ...answer };
  const back = random.below(Math.min(12, tip.block_number));
  const number = tip.block_number - back;
  const kind = random.below(8);
  if (kind === 0) return { method: "restart", ...(await ask(chain.url, "devnet_restart")) };
  if (kind < 5 && number > 0) {
    const starting = { starting_block_id: { block_number: number } };
    return { method: "abortBlocks", ...(await ask(chain.url, "devnet_abortBlocks", starting)) };
  }
  const block = await ask(chain.url, "starknet_getBlockWithTxHashes", [{ block_number: number }]);
  if (block.result === undefined) return { method: "getBlockWithTxHashes", ...block };
  const { block_hash } = block.result as Tip;
  return { method: "revertTo", ...(await ask(adminUrl, "appchain_revertTo", { block_hash })) };
}

/**
 * Sends transfers of an account sequentially; each must be served in time.
 *
 * @param onAnswer - called with each response; returns whether to continue
 */
export async function sendTransfers(
  { chain, chainId }: RevertableChain,
  index: number,
  onAnswer: (answer: Answer) => boolean,
  timeoutMs = 60_000,
): Promise<void> {
  const signer = chain.signer(index);
  for (let nonce: bigint | undefined, goesOn = true; goesOn;) {
    if (nonce === undefined) {
      const place = ["pre_confirmed", hexFromFelt(signer.address)];
      const answer = await ask(chain.url, "starknet_getNonce", place, timeoutMs);
      if (typeof answer.result === "string") nonce = BigInt(answer.result);
      else goesOn = onAnswer(answer);
      continue;
    }
    const { body } = signedTransfer(chainId, signer, nonce, 0x7_000n + BigInt(index));
    const answer = await post(chain.url, "transfer", body, timeoutMs);
    goesOn = onAnswer(answer);
    // After a rejection the chain may have another nonce.
    nonce = answer.error === undefined ? nonce + 1n : undefined;
  }
}
