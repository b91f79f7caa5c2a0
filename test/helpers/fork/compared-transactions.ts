import { Account, type Call, RpcProvider } from "starknet";
import type { AccountEntry } from "../binary.ts";
import { declare, SMALL_CLASS } from "../declares.ts";
import { NO_ESTIMATE, transferCall } from "../tokens.ts";
import type { ComparedChains } from "./compared-chains.ts";
import { compareTransactions } from "./compared-reads.ts";

interface SentRequest {
  readonly method: string;
  readonly params: { readonly invoke_transaction?: object };
}

/** Unix time in seconds after all blocks of the origin. */
const FIRST_TIME = 2_000_000_000;
const BLOCK_SECONDS = 100;

const RECIPIENT = "0x1a57";
/** More than any account has. */
const TOO_MUCH = 10n ** 30n;

/** An account of the origin whose transactions go to both forks. */
export class ComparedAccount {
  readonly #chains: ComparedChains;
  readonly #account: Account;
  readonly #requests: SentRequest[] = [];
  #nonce = 0n;
  #time = FIRST_TIME;

  constructor(chains: ComparedChains, { address, private_key: signer }: AccountEntry) {
    this.#chains = chains;
    const provider = new RpcProvider({ nodeUrl: chains.urls[0], baseFetch: this.#taking() });
    this.#account = new Account({ provider, address, signer });
  }

  /** Sends transactions of all kinds, and compares what they did. */
  async sendAll(classHash: string): Promise<void> {
    await this.execute(transferCall(RECIPIENT, 5n));
    await this.execute(transferCall(RECIPIENT, TOO_MUCH));
    await this.execute([transferCall(RECIPIENT, 5n), transferCall("0x99", 6n)]);
    await this.#send(() => declare(this.#account, SMALL_CLASS, `0x${this.#nonce.toString(16)}`));
    const contract = { classHash, salt: "0x9", unique: false, constructorCalldata: [] };
    await this.#send(() => this.#account.deploy(contract, this.#options()));
  }

  /** Sends transactions whose nonce is not the account's. */
  async sendWrongNonces(): Promise<void> {
    const accountNonce = this.#nonce;
    for (const [topic, nonce] of [
      ["used nonce", 0n],
      ["nonce gap", accountNonce + 50n],
    ] as const) {
      this.#chains.topic = topic;
      this.#nonce = nonce;
      const [request] = await this.#taken(() => this.#invoke(transferCall(RECIPIENT, 5n)));
      await this.#chains.ask(request?.method ?? "", request?.params);
    }
    this.#nonce = accountNonce;
  }

  /** Sends a transaction, and compares what it did. */
  execute(calls: Call | Call[]): Promise<void> {
    return this.#send(() => this.#invoke(calls));
  }

  /** Compares estimates and simulations of calls. */
  async simulate(calls: Call | Call[]): Promise<void> {
    this.#chains.topic = "simulation";
    const [request] = await this.#taken(() => this.#invoke(calls));
    const transactions = [request?.params.invoke_transaction];
    for (const simulation_flags of [[], ["SKIP_VALIDATE"]]) {
      const how = { simulation_flags, block_id: "latest" };
      await this.#chains.ask("starknet_estimateFee", { request: transactions, ...how });
      await this.#chains.ask("starknet_simulateTransactions", { transactions, ...how });
    }
  }

  /** Sets the same time for the next block of both. */
  async setTime(): Promise<void> {
    this.#time += BLOCK_SECONDS;
    await this.#chains.ask("devnet_setTime", { time: this.#time, generate_block: false });
  }

  async #send(make: () => Promise<unknown>): Promise<void> {
    this.#chains.topic = "transaction";
    await this.setTime();
    for (const { method, params } of await this.#taken(make)) {
      const [{ result }] = await this.#chains.ask(method, params);
      this.#nonce++;
      const { transaction_hash } = result as { readonly transaction_hash: string };
      await compareNewest(this.#chains, transaction_hash);
    }
  }

  #invoke(calls: Call | Call[]): Promise<unknown> {
    return this.#account.execute(calls, this.#options());
  }

  #options() {
    return { ...NO_ESTIMATE, nonce: this.#nonce };
  }

  async #taken(make: () => Promise<unknown>): Promise<readonly SentRequest[]> {
    await make();
    return this.#requests.splice(0);
  }

  /** Takes the signed transactions instead of sending them. */
  #taking(): typeof fetch {
    const taking = (...call: Parameters<typeof fetch>): Promise<Response> => {
      const { body } = call[1] ?? {};
      if (typeof body !== "string" || !body.includes('"starknet_add')) return fetch(...call);
      this.#requests.push(JSON.parse(body) as SentRequest);
      const result = { transaction_hash: "0x1", class_hash: "0x1" };
      return Promise.resolve(Response.json({ jsonrpc: "2.0", id: 0, result }));
    };
    return taking as typeof fetch;
  }
}

/** Compares a transaction and its block, which is the newest. */
export async function compareNewest(chains: ComparedChains, hash: string): Promise<void> {
  await compareTransactions(chains, "transaction", [hash]);
  for (const method of ["getStateUpdate", "getBlockWithReceipts", "traceBlockTransactions"]) {
    await chains.ask(`starknet_${method}`, { block_id: "latest" });
  }
}
