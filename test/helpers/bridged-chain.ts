import type { Abi } from "viem";
import { Account, RpcProvider } from "starknet";
import { l1Artifact, type L1ContractName } from "#app/bootstrap/l1/artifacts.ts";
import type { Hex } from "#app/bootstrap/index.ts";
import { ANVIL_KEY } from "./anvil.ts";
import type { BootstrapWorld } from "./bootstrap-world.ts";
import { untilSo } from "./follower-state.ts";

/** The text "ETH" as an address: the bridge for ETH uses it as its token. */
const ETH = "0x0000000000000000000000000000000000455448";

/** Fee of a message to L2, in wei. */
const MESSAGE_FEE_WEI = 10n ** 14n;

/** Token whose bridge the bootstrap has set up: ETH, or the native fee token. */
export type BridgedToken = "eth" | "native";

/** Uses the contracts of a bootstrap, as users of a chain do. */
export class BridgedChain {
  readonly #world: BootstrapWorld;
  readonly #addresses: Readonly<Record<string, string>>;
  /** Account of the development key on L2. */
  readonly account: Account;

  constructor(world: BootstrapWorld) {
    this.#world = world;
    this.#addresses = world.addresses();
    const { url: nodeUrl } = world.sequencer;
    // Estimates must include transactions of the pre-confirmed block.
    const provider = new RpcProvider({ nodeUrl, blockIdentifier: "pre_confirmed" });
    const { account_address: address = "" } = this.#addresses;
    this.account = new Account({ provider, address, signer: "0xabcd" });
  }

  /** Arguments of `l1 settle` with the operator's key file. */
  settleArgs(keyFile: string): readonly string[] {
    const { l1_core_contract_address: core = "" } = this.#addresses;
    const { l1, sequencer } = this.#world;
    return [
      ..."l1 settle --dev --key-file".split(" "),
      keyFile,
      ..."--core-contract".split(" "),
      core,
      "--l1-endpoint",
      l1.url,
      "--url",
      sequencer.url,
    ];
  }

  /** Key that the file of {@link settleArgs} must contain. */
  readonly operatorKey = ANVIL_KEY;

  /** Mints tokens for tests on L1 if needed, and deposits them for an account on L2. */
  async deposit(token: BridgedToken, amount: bigint, recipient: string): Promise<void> {
    const { l1_token_address: l1Token, ERC20_l1_bridge_address: bridge = "" } = this.#addresses;
    if (token === "eth") {
      const { ETH_l1_bridge_address: ethBridge = "" } = this.#addresses;
      const args = [amount, BigInt(recipient)];
      await this.#write("EthBridge", ethBridge, "deposit", args, amount + MESSAGE_FEE_WEI);
      return;
    }
    const [owner] = await this.#world.l1.client.getAddresses();
    await this.#write("TestToken", l1Token ?? "", "mint", [owner, amount], 0n);
    await this.#write("TestToken", l1Token ?? "", "approve", [bridge, amount], 0n);
    const args = [l1Token, amount, BigInt(recipient)];
    await this.#write("TokenBridge", bridge, "deposit", args, MESSAGE_FEE_WEI);
  }

  /** Pays out on L1 what L2 has burned; requires that the state is settled. */
  async withdrawOnL1(token: BridgedToken, amount: bigint, recipient: Hex): Promise<void> {
    const isEth = token === "eth";
    const { l1_token_address: l1Token = "" } = this.#addresses;
    const { ETH_l1_bridge_address: ethBridge = "", ERC20_l1_bridge_address: bridge = "" } =
      this.#addresses;
    const args = [isEth ? ETH : l1Token, amount, recipient];
    const name = isEth ? "EthBridge" : "TokenBridge";
    await this.#write(name, isEth ? ethBridge : bridge, "withdraw", args, 0n);
  }

  /** Burns tokens of the account on L2 for a recipient on L1. */
  async withdrawOnL2(token: BridgedToken, amount: bigint, recipient: Hex): Promise<void> {
    const { l1_token_address: l1Token = "" } = this.#addresses;
    const { ETH_l2_bridge_address: ethBridge = "", ERC20_l2_bridge_address: bridge = "" } =
      this.#addresses;
    const isEth = token === "eth";
    await this.execute(isEth ? ethBridge : bridge, "initiate_token_withdraw", [
      isEth ? ETH : l1Token,
      recipient,
      amount,
      0n,
    ]);
  }

  /** Transfers tokens on L2. */
  transfer(token: BridgedToken, recipient: bigint, amount: bigint): Promise<void> {
    return this.execute(this.#l2Token(token), "transfer", [recipient, amount, 0n]);
  }

  /** Balance on L2. */
  async balance(token: BridgedToken, owner: string | bigint): Promise<bigint> {
    const [low = "0x0"] = await this.account.provider.callContract(
      { contractAddress: this.#l2Token(token), entrypoint: "balance_of", calldata: [owner] },
      "pre_confirmed",
    );
    return BigInt(low);
  }

  /** Balance of the native token's counterpart on L1. */
  async balanceOnL1(owner: Hex): Promise<bigint> {
    const { l1_token_address: address = "" } = this.#addresses;
    const { abi } = l1Artifact("TestToken");
    const call = { address: address as Hex, abi, functionName: "balanceOf", args: [owner] };
    return (await this.#world.l1.client.readContract(call)) as bigint;
  }

  /** Waits for a balance on L2. */
  async untilBalance(token: BridgedToken, owner: string, amount: bigint): Promise<void> {
    const what = `${owner} has ${amount} of ${token}`;
    await untilSo(
      what,
      this.#world.sequencer,
      async () => (await this.balance(token, owner)) >= amount,
    );
  }

  async #write(
    name: L1ContractName,
    address: string,
    functionName: string,
    args: readonly unknown[],
    value: bigint,
  ): Promise<void> {
    const { client } = this.#world.l1;
    const abi: Abi = l1Artifact(name).abi;
    const hash = await client.writeContract({
      address: address as Hex,
      abi,
      functionName,
      args,
      value,
    });
    const { status } = await client.waitForTransactionReceipt({ hash });
    if (status !== "success") throw new RangeError(`${functionName} of ${name} failed`);
  }

  /** Sends a transaction of the account with fees. @throws if it does not succeed */
  async execute(
    contractAddress: string,
    entrypoint: string,
    calldata: readonly (string | bigint)[],
  ): Promise<void> {
    const call = { contractAddress, entrypoint, calldata: [...calldata] };
    const { transaction_hash: hash } = await this.account.execute(call, { tip: 0 });
    const receipt = await this.account.provider.waitForTransaction(hash, { retryInterval: 100 });
    if (!receipt.isSuccess()) throw new RangeError(`${entrypoint} failed`);
  }

  #l2Token(token: BridgedToken): string {
    const { native_fee_token_address: native = "", l2_eth_address_proxy: eth = "" } =
      this.#addresses;
    return token === "native" ? native : eth;
  }
}
