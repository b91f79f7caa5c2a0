import { expect, test } from "bun:test";
import { rawCall } from "#test/helpers/binary.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { useChain } from "#test/helpers/use-chain.ts";

const TXN_HASH_NOT_FOUND = 29;

/** More than the cost of a transfer, less than the maximum fee that these transfers offer. */
const LEFT_OVER = 10n ** 13n;

/** Balance of each account. */
const BALANCE = 10n ** 18n;

const chain = useChain({ args: ["--dev-balance", String(BALANCE)] });

function transfer(sender: number, nonce: bigint, amount: bigint) {
  const signer = chain.signer(sender);
  return signedTransfer("APPCHAIN_DEVNET", signer, nonce, 0x1234n, amount);
}

async function post(body: string): Promise<unknown> {
  const response = await fetch(chain.url, { method: "POST", body });
  return response.json();
}

async function metrics(): Promise<string> {
  return (await fetch(`http://127.0.0.1:${chain.metricsPort}/metrics`)).text();
}

test("a rejection by the executor is logged and counted, with a reason that survives a restart", async () => {
  const sender = chain.accounts[0]?.address ?? "";
  const emptying = transfer(0, 0n, BALANCE - LEFT_OVER);
  const late = transfer(0, 1n, 1n);
  const hash = `0x${late.hash.toString(16)}`;
  // Both are validated before the first is executed, which leaves nothing for the second.
  const received = { result: { transaction_hash: expect.any(String) } };
  expect(await post(`[${emptying.body},${late.body}]`)).toMatchObject([received, received]);
  const status = () => rawCall(chain.url, "starknet_getTransactionStatus", [hash]);
  // Logged before the response, but the pipe may be slower.
  while (!chain.output().includes("transaction rejected")) await Bun.sleep(5);
  const line = chain
    .output()
    .split("\n")
    .find((text) => text.includes("transaction rejected"));
  expect(line).toContain(`hash=${hash} sender=${sender} code=INSUFFICIENT_BALANCE reason="`);
  expect(await metrics()).toContain('appchain_mempool_rejected{code="INSUFFICIENT_BALANCE"} 1\n');
  const rejection = (await status()).error;
  expect(rejection).toMatchObject({
    code: TXN_HASH_NOT_FOUND,
    data: expect.stringContaining("rejected: "),
  });
  await chain.stop();
  await chain.start({ args: ["--dev-balance", String(BALANCE)] });
  for (const method of ["getTransactionStatus", "getTransactionReceipt", "getTransactionByHash"]) {
    expect((await rawCall(chain.url, `starknet_${method}`, [hash])).error).toEqual(rejection);
  }
}, 60_000);

test("rejected submissions are counted by error", async () => {
  const good = transfer(1, 0n, 1n).body;
  await post(good.replace('"0x1234"', '"0x4321"'));
  await post(good);
  await post(good);
  const text = await metrics();
  expect(text).toContain('appchain_mempool_refused{code="VALIDATION_FAILURE"} 1\n');
  expect(text).toContain('appchain_mempool_refused{code="DUPLICATE_TX"} 1\n');
}, 30_000);
