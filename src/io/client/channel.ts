import type { JsonValue } from "#base/codec/index.ts";

/** Asks a node one thing at a time. */
export interface RpcChannel {
  /**
   * The result of a method.
   *
   * @param method - name on the wire
   * @param params - by name
   * @throws {RpcRefusal} when the node answers with an error
   * @throws {NodeError} when it does not answer, or with something else than JSON-RPC
   */
  call(method: string, params: Readonly<Record<string, JsonValue>>): Promise<JsonValue>;
}
