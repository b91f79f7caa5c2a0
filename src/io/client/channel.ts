import type { JsonValue, StreamDecoder } from "#base/codec/index.ts";

/** Named parameters of a request. */
export type RpcParams = Readonly<Record<string, JsonValue>>;

/** JSON-RPC transport that sends one request at a time. */
export interface RpcChannel {
  /**
   * Calls a method and returns its result.
   *
   * @param method - full method name
   * @throws {RpcRefusal} when the node responds with an error
   * @throws {NodeError} when it does not respond, or not with JSON-RPC
   */
  call(method: string, params: RpcParams): Promise<JsonValue>;

  /**
   * Calls a method and decodes its result while it arrives; the result may have any length.
   *
   * @param method - full method name
   * @param decoder - creates a decoder of the result; called for each attempt
   * @throws {RpcRefusal} when the node responds with an error
   * @throws {NodeError} when it does not respond, or not with JSON-RPC, or when the decoder rejects the
   *   result
   */
  stream<T>(method: string, params: RpcParams, decoder: () => StreamDecoder<T>): Promise<T>;
}
