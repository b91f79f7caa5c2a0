import { parseJson } from "#base/codec/index.ts";
import { readGatewayTransaction } from "#io/feeder/index.ts";
import { openMempoolStore } from "#io/storage/index.ts";
import type { Declaration } from "#services/admission/index.ts";
import type { ForwardedSubmission } from "#services/sync/index.ts";
import type { NodeSetup } from "../setup/setup.ts";

/**
 * Adds the transactions that a follower has forwarded to its own mempool, because it becomes the block
 * producer and has acknowledged them. No thread may have the mempool open.
 *
 * @param unixNowMs - Unix milliseconds
 * @returns declarations, which have to be compiled on this node first
 * @throws {StorageError} when the mempool cannot be opened or written
 */
export async function keepForwarded(
  { files, config }: Pick<NodeSetup, "files" | "config">,
  submissions: readonly ForwardedSubmission[],
  unixNowMs: number,
): Promise<readonly Declaration[]> {
  if (submissions.length === 0) return [];
  const declarations: Declaration[] = [];
  for (const { bodyJson } of submissions) {
    if (bodyJson === undefined) continue;
    const sent = readGatewayTransaction(parseJson(bodyJson));
    if (sent.kind === "declaration") declarations.push(sent);
  }
  const store = await openMempoolStore(files.mempoolDatabase, config.chainId);
  try {
    const kept = submissions.filter(({ bodyJson }) => bodyJson === undefined);
    store.put(kept.map(({ hash, bytes }) => ({ hash, bytes, receivedAtMs: unixNowMs })));
    await store.sync();
  } finally {
    store.close();
  }
  return declarations;
}
