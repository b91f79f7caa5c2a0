import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  rawCall,
  removeFolder,
  type RunningChain,
  startChain,
  temporaryFolder,
} from "#test/helpers/binary.ts";
import { NO_ESTIMATE, transferCall } from "#test/helpers/tokens.ts";

const KILLS = 20;
const SENDERS = 4;
const LONGEST_LIFE_MS = 1_200;

const DUPLICATE_TX = 59;
const INVALID_NONCE = 52;

/** What the outside world was told: these must survive every kill. */
const acceptedBlocks = new Map<number, string>();
const received = new Map<string, number>();
/** Next nonce of each sender. */
const nonces = Array.from({ length: SENDERS }, () => 0);

let folder: string;

beforeAll(() => {
  folder = temporaryFolder();
});

afterAll(() => removeFolder(folder));

/** The JSON-RPC error code of a failed send; 0 when the connection broke. */
function codeOf(error: unknown): number {
  return (error as { baseError?: { code: number } }).baseError?.code ?? 0;
}

/** Sends transfers of one account one after the other until the chain dies. */
async function sendUntilDeath(chain: RunningChain, sender: number, alive: () => boolean) {
  const account = chain.account(sender);
  while (alive()) {
    const nonce = nonces[sender] ?? 0;
    try {
      // The amount depends on the nonce alone, so that sending again gives the same transaction.
      const call = transferCall(`0x${(0xabc000 + sender).toString(16)}`, BigInt(nonce + 1));
      const { transaction_hash } = await account.execute(call, { ...NO_ESTIMATE, nonce });
      received.set(transaction_hash, nonce);
      nonces[sender] = nonce + 1;
    } catch (error) {
      const code = codeOf(error);
      // The answer to the last send before a kill was lost, but the transaction was not.
      if (code === DUPLICATE_TX || code === INVALID_NONCE) nonces[sender] = nonce + 1;
      else if (alive() && code !== 0) throw error;
    }
  }
}

/** Notes every block that is shown as accepted. */
async function watchUntilDeath(chain: RunningChain, alive: () => boolean) {
  while (alive()) {
    try {
      const { result } = await rawCall(chain.url, "starknet_blockHashAndNumber");
      const { block_hash, block_number } = result as { block_hash: string; block_number: number };
      acceptedBlocks.set(block_number, block_hash);
    } catch {
      // The chain was killed while it answered.
    }
    await Bun.sleep(5);
  }
}

async function verifyNothingIsLost(chain: RunningChain) {
  for (const [number, hash] of acceptedBlocks) {
    const { result } = await rawCall(chain.url, "starknet_getBlockWithTxHashes", [
      { block_number: number },
    ]);
    expect((result as { block_hash?: string } | undefined)?.block_hash).toBe(hash);
  }
  for (const hash of received.keys()) {
    const { result } = await rawCall(chain.url, "starknet_getTransactionStatus", [hash]);
    const status = (result as { finality_status?: string } | undefined)?.finality_status;
    expect([hash, ["RECEIVED", "PRE_CONFIRMED", "ACCEPTED_ON_L2"].includes(status ?? "")]).toEqual([
      hash,
      true,
    ]);
  }
}

test(`killed ${KILLS} times under load, it loses no accepted block and no received transaction`, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const chain = await startChain({ basePath: folder });
    await verifyNothingIsLost(chain);
    let dead = false;
    const alive = () => !dead;
    const work = [
      watchUntilDeath(chain, alive),
      ...nonces.map((_, sender) => sendUntilDeath(chain, sender, alive)),
    ];
    await Bun.sleep(Math.random() * LONGEST_LIFE_MS);
    await chain.stop("SIGKILL");
    dead = true;
    await Promise.all(work);
  }
  const chain = await startChain({ basePath: folder });
  await verifyNothingIsLost(chain);
  for (const hash of received.keys()) {
    const receipt = await chain.provider.waitForTransaction(hash, { retryInterval: 20 });
    expect(receipt.isSuccess()).toBe(true);
  }
  expect(received.size).toBeGreaterThan(KILLS);
  await chain.stop();
}, 300_000);
