import { expect, test } from "bun:test";
import { hexFromFelt } from "#base/primitives/index.ts";
import { rawCall } from "#test/helpers/binary.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { RawConnection, rawPost, rpcBody } from "#test/helpers/raw-http.ts";
import { strkBalance } from "#test/helpers/tokens.ts";
import { useChain } from "#test/helpers/use-chain.ts";

const CHAIN_ID = "APPCHAIN_DEVNET";

const chain = useChain({ args: ["--no-charge-fee"] });

async function receiptOf(hash: bigint) {
  const receipt = await chain.provider.waitForTransaction(hexFromFelt(hash), { retryInterval: 50 });
  return receipt.value as {
    execution_status: string;
    actual_fee: { amount: string; unit: string };
    execution_resources: { l2_gas: number };
  };
}

test("pipelined transfers and reads are answered in order, and the transfers succeed", async () => {
  const transfers = [0n, 1n, 2n].map((nonce) =>
    signedTransfer(CHAIN_ID, chain.signer(0), nonce, 0x99n),
  );
  const connection = await RawConnection.open(chain.rpcPort);
  const reads = Array.from({ length: 20 }, (_, id) => rawPost(rpcBody(id, "blockNumber")));
  connection.send([...transfers.map(({ body }) => rawPost(body)), ...reads].join(""));
  const answers = await connection.responses(transfers.length + reads.length);
  connection.close();
  const bodies = answers.map(({ body }) => JSON.parse(body) as unknown);
  expect(bodies.slice(0, 3)).toEqual(
    transfers.map(({ hash }) => ({
      jsonrpc: "2.0",
      id: 1,
      result: { transaction_hash: hexFromFelt(hash) },
    })),
  );
  expect(bodies.slice(3)).toEqual(
    reads.map((_, id) => ({ jsonrpc: "2.0", id, result: expect.any(Number) })),
  );
  for (const { hash } of transfers) {
    expect((await receiptOf(hash)).execution_status).toBe("SUCCEEDED");
  }
});

test("a chain without fees charges none and reports a fee of zero", async () => {
  const account = chain.account(1);
  const before = await strkBalance(chain.provider, account.address);
  const transfer = signedTransfer(CHAIN_ID, chain.signer(1), 0n, 0x99n);
  await fetch(chain.url, { method: "POST", body: transfer.body });
  const receipt = await receiptOf(transfer.hash);
  expect(receipt.actual_fee).toEqual({ amount: "0x0", unit: "FRI" });
  expect(receipt.execution_resources.l2_gas).toBeGreaterThan(0);
  // The transfer itself moves one fri.
  expect(await strkBalance(chain.provider, account.address)).toBe(before - 1n);
});

test("a block number above the chain is BLOCK_NOT_FOUND, an index INVALID_TXN_INDEX", async () => {
  const ask = async (method: string, params: string): Promise<unknown> => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"starknet_${method}","params":${params}}`;
    return (await fetch(chain.url, { method: "POST", body })).json();
  };
  for (const number of ["9007199254740992", "9007199254740991", `1${"0".repeat(100)}`]) {
    for (const method of ["getBlockWithTxHashes", "getStateUpdate", "getBlockTransactionCount"]) {
      expect(await ask(method, `[{"block_number":${number}}]`)).toMatchObject({
        error: { code: 24 },
      });
    }
    expect(await ask("getTransactionByBlockIdAndIndex", `["latest",${number}]`)).toMatchObject({
      error: { code: 27 },
    });
  }
  expect(
    (await rawCall(chain.url, "starknet_getStorageAt", ["0x0", "0x0", "latest"])).error,
  ).toEqual(expect.objectContaining({ code: 20 }));
});
