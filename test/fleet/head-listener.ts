import { WsClient } from "#test/helpers/ws-client.ts";

/** A WebSocket subscription to new blocks. */
export class HeadListener {
  readonly #client: WsClient;
  #isOpen = true;

  private constructor(client: WsClient) {
    this.#client = client;
    void client.closed.then(() => {
      this.#isOpen = false;
    });
  }

  /** @param url - of the JSON-RPC */
  static async open(url: string): Promise<HeadListener> {
    const client = await WsClient.open(`${url.replace("http", "ws")}/rpc/v0_10`);
    await client.ask("starknet_subscribeNewHeads", []);
    return new HeadListener(client);
  }

  /** Whether the connection is open. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Numbers of the notified blocks, in order. */
  get heads(): readonly number[] {
    return this.#client.received
      .filter(({ method }) => method === "starknet_subscriptionNewHeads")
      .map(({ params }) => (params as { result: { block_number: number } }).result.block_number);
  }

  close(): void {
    this.#client.close();
  }
}
