import { expect, test } from "bun:test";
import { hash } from "starknet";
import { NO_ESTIMATE, transferCall } from "#test/helpers/tokens.ts";
import { useChain } from "#test/helpers/use-chain.ts";

const RECIPIENT = "0xe7e";
const TRANSFERS = 12;

const chain = useChain();

/** Reads the transfers to {@link RECIPIENT} page by page while blocks are built. */
async function transfers(chunk_size: number) {
  const { contractAddress } = transferCall(RECIPIENT, 1n);
  const filter = {
    address: contractAddress,
    keys: [[hash.getSelectorFromName("Transfer")]],
    from_block: { block_number: 0 },
    to_block: "pre_confirmed" as const,
    chunk_size,
  };
  const found: { hash: string; data: readonly string[] }[] = [];
  let continuation_token: string | undefined;
  do {
    const token = continuation_token === undefined ? {} : { continuation_token };
    const page = await chain.provider.getEvents({ ...filter, ...token });
    expect(page.events.length).toBeLessThanOrEqual(chunk_size);
    for (const { transaction_hash, keys, data } of page.events) {
      found.push({ hash: transaction_hash, data: [...keys, ...data] });
    }
    ({ continuation_token } = page);
  } while (continuation_token !== undefined);
  return found.filter(({ data }) => data.includes(RECIPIENT)).map((event) => event.hash);
}

test("getEvents returns every transfer once and in order, also of pre-confirmed blocks", async () => {
  const account = chain.account(0);
  const nonce = Number(await account.getNonce());
  const sent: string[] = [];
  for (let i = 0; i < TRANSFERS; i++) {
    const options = { ...NO_ESTIMATE, nonce: nonce + i };
    const { transaction_hash } = await account.execute(transferCall(RECIPIENT, 1n), options);
    sent.push(transaction_hash);
    const found = await transfers(1 + (i % 5));
    expect(found).toEqual(sent.slice(0, found.length));
  }
  await chain.provider.waitForTransaction(sent.at(-1) ?? "", { retryInterval: 50 });
  for (const size of [1000, 3, 1]) expect(await transfers(size)).toEqual(sent);
}, 60_000);
