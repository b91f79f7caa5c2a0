import artifacts from "../../../contracts/l2/artifacts.json" with { type: "json" };
import { hexFromFelt } from "#base/primitives/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { rawCall, type RunningChain } from "#test/helpers/binary.ts";
import type { Json } from "#test/helpers/json-schema.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { ETH, STRK } from "#test/helpers/tokens.ts";

/** Objects of a chain: requests with these are not rejected early. */
export interface ChainSamples {
  readonly contracts: readonly string[];
  readonly classHashes: readonly string[];
  readonly transactionHashes: readonly string[];
  readonly blockHashes: readonly string[];
  /** Number of the newest block. */
  readonly latest: number;
  readonly selectors: readonly string[];
  readonly eventKeys: readonly string[];
  readonly storageKeys: readonly string[];
  /**
   * Signed, unsent transfers: the same number per account, with nonces that follow on {@link
   * latest}.
   */
  readonly invokes: readonly Json[];
  readonly invokesOfAccount: number;
  /** Continuation token of a page of events that is not the last. */
  readonly continuationToken: string;
}

/** Transfers in the blocks that requests refer to. */
const TRANSFERS = 24;
/** Transfers of each account that are signed but not sent. */
const UNSENT = 40;

const CHAIN_ID = "APPCHAIN_DEVNET";

/** Makes a few blocks on a new chain. @returns their contents */
export async function preparedSamples(chain: RunningChain): Promise<ChainSamples> {
  const invokes: Json[] = [];
  const hashes: string[] = [];
  const { length: accounts } = chain.accounts;
  for (const [index, entry] of chain.accounts.entries()) {
    const signer = { address: BigInt(entry.address), privateKey: BigInt(entry.private_key) };
    const sent = Math.ceil(TRANSFERS / accounts);
    for (let nonce = 0; nonce < sent + UNSENT; nonce++) {
      // The last one exceeds the balance: it reverts.
      const amount = nonce === sent - 1 && index === 0 ? 10n ** 40n : 1n;
      const transfer = signedTransfer(CHAIN_ID, signer, BigInt(nonce), 0x1_0000n, amount);
      const { params } = JSON.parse(transfer.body) as { params: [Json] };
      if (nonce >= sent) invokes.push(params[0]);
      else {
        const { error } = await rawCall(chain.url, "starknet_addInvokeTransaction", params);
        if (error !== undefined) throw new TypeError(JSON.stringify(error));
        hashes.push(hexFromFelt(transfer.hash));
      }
    }
    await chain.provider.waitForTransaction(hashes.at(-1) ?? "", { retryInterval: 20 });
  }
  const latest = await chain.provider.getBlockNumber();
  const blockHashes: string[] = [];
  for (let number = 0; number <= latest; number++) {
    const { result } = await rawCall(chain.url, "starknet_getBlockWithTxHashes", [
      { block_number: number },
    ]);
    blockHashes.push((result as { block_hash: string }).block_hash);
  }
  const page = await rawCall(chain.url, "starknet_getEvents", [{ chunk_size: 3 }]);
  return {
    contracts: [STRK, ETH, ...chain.accounts.map(({ address }) => address)],
    classHashes: [artifacts.account.classHash, artifacts.erc20.classHash],
    transactionHashes: hashes,
    blockHashes,
    latest,
    selectors: [
      ...["balance_of", "balanceOf", "transfer", "name", "total_supply", "approve", "allowance"],
      ...["__execute__", "__validate__", "is_valid_signature", "constructor"],
    ].map((name) => hexFromFelt(selectorFromName(name))),
    eventKeys: ["Transfer", "Approval"].map((name) => hexFromFelt(selectorFromName(name))),
    storageKeys: ["name", "ERC20_total_supply", "ERC20_balances"].map((name) =>
      hexFromFelt(selectorFromName(name)),
    ),
    invokes,
    invokesOfAccount: UNSENT,
    continuationToken: (page.result as { continuation_token?: string }).continuation_token ?? "",
  };
}
