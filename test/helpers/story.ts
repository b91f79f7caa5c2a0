import { hash } from "starknet";
import { type ClassFiles, declare, SMALL_CLASS } from "./declares.ts";
import { L1_CONTRACT, TEST_CONTRACT } from "./message-chain.ts";
import { createRandom, type Random } from "./random.ts";
import { legacyClass, type StoryChain } from "./story-chain.ts";
import { isFullSize } from "./test-size.ts";
import { NO_ESTIMATE, ONE_TOKEN, transferCall } from "./tokens.ts";

const LEGACY = "blockifier/feature_contracts/cairo0/compiled/test_contract_compiled.json";
/** Class hash by starknet.js, which takes seconds: only at full size the client computes it. */
const LEGACY_HASH = "0x2f685dcd8d911325b6338c876f56e62e4e555797f1f28e185fde02cec800b4d";
const MAX_FEE = 10n ** 17n;
/** Few storage keys, so that they are rewritten and deleted. */
const KEYS = 24;
const ACCOUNTS = 4;
const MOST_TRANSACTIONS = 3;

/** A random action on a chain; each is a transaction of the open block. */
type Deed = (teller: StoryTeller) => Promise<void>;

const DEEDS: Readonly<Record<string, Deed>> = {
  transfer: (teller) => teller.transfer(1n),
  revert: (teller) => teller.transfer(10n ** 6n * ONE_TOKEN),
  write: (teller) => teller.write(),
  deploy: (teller) => teller.deploy(),
  messageFromL1: (teller) => teller.messageFromL1(),
  messageToL1: (teller) => teller.messageToL1(),
  mint: (teller) => teller.mint(),
};

/** Makes random blocks on a chain, deterministic by seed. */
export class StoryTeller {
  /** Number of actions of each kind. */
  readonly counts: Record<string, number> = {};
  readonly #random: Random;
  readonly #story: StoryChain;
  readonly #omitted: readonly string[];
  readonly #nonces = new Map<number, bigint>();
  readonly #contracts: string[] = [];
  readonly #classes: string[] = [];
  #l1Nonce = 1;

  /** @param omitted - names of actions that never happen */
  constructor(story: StoryChain, seed: number, omitted: readonly string[] = []) {
    this.#story = story;
    this.#omitted = omitted;
    this.#random = createRandom(seed);
  }

  /** Makes a block with up to three random actions. */
  async block(): Promise<void> {
    await this.#story.open();
    this.#nonces.clear();
    const names = Object.keys(DEEDS).filter(
      (name) => (this.#contracts.length > 0 || !CALLS.has(name)) && !this.#omitted.includes(name),
    );
    for (let left = this.#random.below(MOST_TRANSACTIONS + 1); left > 0; left--) {
      const name = this.#random.pick(names) ?? "transfer";
      await DEEDS[name]?.(this);
      this.counts[name] = (this.counts[name] ?? 0) + 1;
    }
    await this.#story.close();
  }

  /** Makes a block that declares a Cairo 0 class by a transaction of version 1. */
  async declareLegacy(): Promise<void> {
    await this.#story.open();
    const contract = legacyClass(LEGACY);
    const hashed = isFullSize ? { contract } : { contract, classHash: LEGACY_HASH };
    const declared = await this.#story.oldAccount(0).declare(hashed, { maxFee: MAX_FEE });
    this.#classes.push(declared.class_hash);
    await this.#story.close();
  }

  /** Makes a block that declares a Sierra class. */
  async declare(files: ClassFiles = TEST_CONTRACT): Promise<void> {
    await this.#story.open();
    const declared = await declare(this.#story.account(0), files);
    if (files === TEST_CONTRACT) this.#classes.push(declared.class_hash);
    await this.#story.close();
  }

  /** Makes a block that declares a class without a constructor. */
  declareSmall(): Promise<void> {
    return this.declare(SMALL_CLASS);
  }

  /** Makes a block that deploys the last declared class; later calls go to that contract. */
  async deployLast(): Promise<void> {
    await this.#story.open();
    this.#nonces.clear();
    const classHash = this.#classes.at(-1) ?? "";
    this.#contracts.push(await this.#deployed(classHash));
    await this.#story.close();
  }

  async transfer(amount: bigint): Promise<void> {
    const recipient = `0x${(0x1000 + this.#random.below(1000)).toString(16)}`;
    await this.#execute(transferCall(recipient, amount));
  }

  async write(): Promise<void> {
    const value = this.#random.below(3) === 0 ? 0 : this.#random.below(1_000_000);
    await this.#execute({
      contractAddress: this.#contract(),
      entrypoint: "test_storage_read_write",
      calldata: [this.#key(), String(value)],
    });
  }

  async deploy(): Promise<void> {
    await this.#deployed(this.#random.pick(this.#classes) ?? "");
  }

  async messageFromL1(): Promise<void> {
    const isRight = this.#random.below(4) > 0;
    await this.#story.record("devnet_postmanSendMessageToL2", {
      l2_contract_address: this.#contracts.at(-1) ?? "",
      entry_point_selector: hash.getSelectorFromName("l1_handler_set_value"),
      l1_contract_address: L1_CONTRACT,
      payload: isRight ? [this.#key(), "0x7"] : [],
      paid_fee_on_l1: "0x3e8",
      nonce: `0x${(this.#l1Nonce++).toString(16)}`,
      l1_transaction_hash: `0x${(0xabc000 + this.#l1Nonce).toString(16)}`,
    });
  }

  async messageToL1(): Promise<void> {
    await this.#execute({
      contractAddress: this.#contracts.at(-1) ?? "",
      entrypoint: "test_send_message_to_l1",
      calldata: [L1_CONTRACT, "2", this.#key(), "8"],
    });
  }

  async mint(): Promise<void> {
    const address = `0x${(0x2000 + this.#random.below(100)).toString(16)}`;
    await this.#story.record("devnet_mint", { address, amount: 1 + this.#random.below(1000) });
  }

  #key(): string {
    return `0x${(0x100 + this.#random.below(KEYS)).toString(16)}`;
  }

  #contract(): string {
    return this.#random.pick(this.#contracts) ?? "";
  }

  async #deployed(classHash: string): Promise<string> {
    const index = this.#random.below(ACCOUNTS);
    const salt = `0x${this.#random.below(2 ** 31).toString(16)}`;
    const { contract_address } = await this.#story
      .account(index)
      .deploy(
        { classHash, salt, unique: false, constructorCalldata: ["0x1", "0x2"] },
        { ...NO_ESTIMATE, nonce: await this.#nonce(index) },
      );
    await this.#story.settled();
    return contract_address[0] ?? "";
  }

  async #execute(call: { contractAddress: string; entrypoint: string; calldata: unknown }) {
    const index = this.#random.below(ACCOUNTS);
    const nonce = await this.#nonce(index);
    await this.#story.account(index).execute(call as never, { ...NO_ESTIMATE, nonce });
    await this.#story.settled();
  }

  async #nonce(index: number): Promise<bigint> {
    const known = this.#nonces.get(index) ?? BigInt(await this.#story.account(index).getNonce());
    this.#nonces.set(index, known + 1n);
    return known;
  }
}

/** Actions that require a contract. */
const CALLS = new Set(["write", "deploy", "messageFromL1", "messageToL1"]);
