import { isJsonObject, type JsonObject, type JsonValue } from "#base/codec/index.ts";

/** Error body of a gateway. */
export interface GatewayErrorBody {
  /** Includes the prefix, for example `StarknetErrorCode.BLOCK_NOT_FOUND`. */
  readonly code: string;
  readonly message: string;
}

/** Decodes an error body; `undefined` if it is not one. */
export function readGatewayError(value: JsonValue): GatewayErrorBody | undefined {
  if (!isJsonObject(value)) return undefined;
  const { code, message } = value;
  return typeof code === "string" && typeof message === "string" ? { code, message } : undefined;
}

/** Encodes an error body. */
export function writeGatewayError({ code, message }: GatewayErrorBody): JsonObject {
  return { code, message };
}
