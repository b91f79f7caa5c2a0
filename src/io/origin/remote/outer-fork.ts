import { integer, nullable, object } from "#base/codec/index.ts";
import { RpcRefusal } from "#io/client/index.ts";
import type { OriginTask } from "../rpc/pending.ts";
import type { OriginCaller } from "./caller.ts";

const CONFIG = object({ fork_config: object({ block_number: nullable(integer()) }) });

/**
 * Fork block of an origin that is itself a fork by starknet-devnet. Such an origin forwards `starknet_getClass`
 * with its block id to the network that it continues, which has only the blocks up to that one.
 */
export class OuterFork {
  readonly #caller: OriginCaller;
  /** `null` when the origin is no fork; `undefined` until it has responded. */
  #block: number | null | undefined;

  constructor(caller: OriginCaller) {
    this.#caller = caller;
  }

  /**
   * Reads the number of the block that the origin continues.
   *
   * @returns `undefined` when the origin is no fork of a development node
   * @throws {OriginError} as `OriginCaller.read`
   */
  async block(task: OriginTask): Promise<number | undefined> {
    this.#block ??= await this.#read(task);
    return this.#block ?? undefined;
  }

  async #read(task: OriginTask): Promise<number | null> {
    const call = { method: "devnet_getConfig", params: () => ({}), isLarge: false };
    try {
      return (await this.#caller.read(call, CONFIG, task)).value.fork_config.block_number;
    } catch (error) {
      if (error instanceof RpcRefusal) return null;
      throw error;
    }
  }
}
