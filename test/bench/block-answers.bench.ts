import { executeQuery } from "#test/helpers/execute-query.ts";
/**
 * Time and size of responses about a block of 100 transfers and about one of them, each built from
 * storage without a cache. In one process, without HTTP.
 *
 * Argument: number of repetitions (default 500). Prints medians.
 */
import { createMethodTables } from "#api/rpc/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { createChainReader, openDatabase } from "#io/storage/index.ts";
import { ASYNC_SUBMISSION, startChain } from "#test/helpers/binary.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { median } from "./pairs.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { SILENT } from "#test/helpers/serving.ts";

const ACCOUNTS = 100;
const CHAIN_ID = "APPCHAIN_DEVNET";
const times = Number(process.argv[2] ?? 500);

const folder = temporaryFolder();
/** Creates a chain with the block. @returns the hash of its last transaction */
async function makeChain(): Promise<bigint> {
  const args = ["--dev-accounts", String(ACCOUNTS), "--block-generation-on", "2"];
  const chain = await startChain({
    basePath: folder.path,
    env: ASYNC_SUBMISSION,
    args: [...args, "--log-level", "warn"],
  });
  const transfers = chain.accounts.map(({ address, private_key: key }, i) =>
    signedTransfer(
      CHAIN_ID,
      { address: BigInt(address), privateKey: BigInt(key) },
      0n,
      0x9_0000n + BigInt(i),
    ),
  );
  await fetch(chain.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: `[${transfers.map(({ body }) => body).join(",")}]`,
  });
  const hash = transfers.at(-1)?.hash ?? 0n;
  await chain.provider.waitForTransaction(hexFromFelt(hash), { retryInterval: 50 });
  await chain.stop();
  return hash;
}

const hash = await makeChain();
const database = await openDatabase({
  path: folder.file("chain.db"),
  chainId: CHAIN_ID,
  mode: "reader",
  durability: "full",
});
const chain = createChainReader(database);
const number = chain.locate(hash)?.blockNumber ?? 0;
const [newest] = createMethodTables();
const context = sampleContext({ chainId: 0n, chain, pending: () => undefined });

const blockId = [{ block_number: number }];
const QUESTIONS: readonly (readonly [method: string, params: readonly unknown[]])[] = [
  ["getBlockWithReceipts", blockId],
  ["getBlockWithTxs", blockId],
  ["getBlockWithTxHashes", blockId],
  ["getStateUpdate", blockId],
  ["getTransactionByHash", [hexFromFelt(hash)]],
  ["getTransactionReceipt", [hexFromFelt(hash)]],
];

console.log(`a block of ${chain.transactions(number).length} transactions:`);
for (const [method, params] of QUESTIONS) {
  const text = JSON.stringify(params);
  const found: number[] = [];
  let bytes = 0;
  for (let i = 0; i < times; i++) {
    const startedMs = performance.now();
    bytes = (await executeQuery(newest, context, method, text, SILENT)).byteLength;
    found.push((performance.now() - startedMs) * 1000);
  }
  console.log(`${method}: ${median(found).toFixed(1)} us, ${bytes} bytes`);
}
database.close();
folder[Symbol.dispose]();
process.exit(0);
