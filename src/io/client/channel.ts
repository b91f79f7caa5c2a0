import type { JsonValue, StreamDecoder } from "#base/codec/index.ts";

/** Members of a request, by name. */
export type RpcParams = Readonly<Record<string, JsonValue>>;

/** Asks a node one thing at a time. */
export interface RpcChannel {
  /**
   * The result of a method.
   *
   * @param method - name on the wire
   * @throws {RpcRefusal} when the node answers with an error
   * @throws {NodeError} when it does not answer, or with something else than JSON-RPC
   */
  call(method: string, params: RpcParams): Promise<JsonValue>;

  /**
   * The result of a method, decoded while it arrives: it may be of any length.
   *
   * @param method - name on the wire
   * @param decoder - makes a decoder of the result; called for each attempt
   * @throws {RpcRefusal} when the node answers with an error
   * @throws {NodeError} when it does not answer, or with something else than JSON-RPC, or when the
   *   result has another form than the decoder's
   */
  stream<T>(method: string, params: RpcParams, decoder: () => StreamDecoder<T>): Promise<T>;
}
