import { describe, expect, test } from "bun:test";
import { ec } from "starknet";
import { type InvokeV3, type Receipt, transactionHash } from "#protocol/chain/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { FaucetClient, MAX_WAITING_MINTS } from "#app/node/devnet/faucet-client.ts";
import { type GivingSelectors, MintSelectors, TRANSFER } from "#app/node/devnet/mint-selectors.ts";
import { devFaucet } from "#services/sequencer/index.ts";
import type { SubmitOutcome } from "#services/admission/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { fakeReceipt } from "#test/helpers/fake-chain.ts";

const CHAIN_ID = 0x54455354n;
const FAUCET = devFaucet(0xac_c0n);
const PRICE = { wei: 1n, fri: 100n };

interface Parts {
  readonly outcome?: SubmitOutcome;
  readonly receipt?: Partial<Receipt>;
  readonly isThere?: boolean;
  readonly rejection?: string;
  readonly selectors?: GivingSelectors;
}

function world({
  outcome,
  receipt = {},
  isThere = true,
  rejection,
  selectors = new MintSelectors(),
}: Parts = {}) {
  const sent: InvokeV3[] = [];
  const state = {
    classHashAt: () => (isThere ? 0xac_c0n : 0n),
    executableClass: () => undefined,
    nonceAt: () => BigInt(sent.length),
  } as unknown as StateReader;
  const client = new FaucetClient({
    chainId: CHAIN_ID,
    faucet: FAUCET,
    selectors,
    read: (work) => work(state),
    gasPrices: () => ({ l1Gas: PRICE, l1DataGas: PRICE, l2Gas: PRICE }),
    submit(transaction) {
      sent.push(transaction);
      const hash = transactionHash(transaction, CHAIN_ID);
      return Promise.resolve(outcome ?? { kind: "accepted", transactionHash: hash });
    },
    rejectionOf: () => Promise.resolve(rejection),
    progress: {
      receiptOf: (hash) =>
        rejection === undefined
          ? { ...fakeReceipt({ transactionHash: hash }), ...receipt }
          : undefined,
      async until(look) {
        const found = await look();
        if (found === undefined) throw new TypeError("nothing is found");
        return found;
      },
    },
  });
  return { client, sent };
}

describe("the devnet faucet", () => {
  test("sends a signed mint transaction", async () => {
    const { client, sent } = world();
    const minted = await client.mint(0x57n, 0x5n, (3n << 128n) + 7n);
    const [transaction] = sent;
    if (transaction === undefined) throw new TypeError("a transaction was sent");
    const hash = transactionHash(transaction, CHAIN_ID);
    expect(minted).toEqual({ transactionHash: hash, revertReason: null });
    // SNIP-6: one call of the token with the recipient and both halves of the amount.
    const selector = selectorFromName("permissioned_mint");
    expect(transaction.calldata).toEqual([1n, 0x57n, selector, 3n, 0x5n, 7n, 3n]);
    expect([transaction.senderAddress, transaction.nonce]).toEqual([FAUCET.address, 0n]);
    const [r = 0n, s = 0n] = transaction.signature;
    const signature = new ec.starkCurve.Signature(r, s);
    const key = ec.starkCurve.getPublicKey(FAUCET.privateKey.toString(16).padStart(64, "0"), false);
    expect(ec.starkCurve.verify(signature, hash.toString(16).padStart(64, "0"), key)).toBe(true);
    expect(transaction.resourceBounds.l2Gas.maxPricePerUnit).toBe(200n);
  });

  test("transfers its own tokens on a fork", async () => {
    const { client, sent } = world({ selectors: TRANSFER });
    await client.mint(0x57n, 0x5n, (3n << 128n) + 7n);
    // SNIP-2: recipient and both halves of the amount.
    const selector = selectorFromName("transfer");
    expect(sent[0]?.calldata).toEqual([1n, 0x57n, selector, 3n, 0x5n, 7n, 3n]);
  });

  test("sends one transaction after the other with consecutive nonces", async () => {
    const { client, sent } = world();
    await Promise.all([client.mint(1n, 2n, 3n), client.mint(1n, 2n, 3n), client.mint(1n, 2n, 3n)]);
    expect(sent.map(({ nonce }) => nonce)).toEqual([0n, 1n, 2n]);
  });

  test("returns why a transaction reverted", async () => {
    const { client } = world({ receipt: { status: { kind: "reverted", reason: "overflow" } } });
    expect((await client.mint(1n, 2n, 3n)).revertReason).toBe("overflow");
  });

  test("continues after a transaction that was rejected", async () => {
    const refused = { kind: "rejected", code: "DUPLICATE_TX", reason: "known" } as const;
    const { client } = world({ outcome: refused });
    const text = "the faucet's transaction was refused: known";
    expect(client.mint(1n, 2n, 3n)).rejects.toThrow(text);
    expect(client.mint(1n, 2n, 3n)).rejects.toThrow(text);
    const late = world({ rejection: "expired" });
    expect(late.client.mint(1n, 2n, 3n)).rejects.toThrow(
      "the faucet's transaction was rejected: expired",
    );
  });

  test("rejects on a chain without a faucet contract", () => {
    const { client, sent } = world({ isThere: false });
    expect(client.mint(1n, 2n, 3n)).rejects.toThrow("the chain has no faucet");
    expect(sent).toEqual([]);
  });

  test("bounds the number of pending mints", async () => {
    const { client } = world();
    const mints = Array.from({ length: MAX_WAITING_MINTS }, () => client.mint(1n, 2n, 3n));
    expect(client.mint(1n, 2n, 3n)).rejects.toThrow("too many requests for tokens are waiting");
    await Promise.all(mints);
    await client.mint(1n, 2n, 3n);
  });
});
