import { isJsonObject, type JsonObject, type JsonValue } from "#base/codec/index.ts";

/** What a gateway answers instead of what was asked for. */
export interface GatewayErrorBody {
  /** With its prefix, for example `StarknetErrorCode.BLOCK_NOT_FOUND`. */
  readonly code: string;
  readonly message: string;
}

/** The body of an error; `undefined`: it is none. */
export function readGatewayError(value: JsonValue): GatewayErrorBody | undefined {
  if (!isJsonObject(value)) return undefined;
  const { code, message } = value;
  return typeof code === "string" && typeof message === "string" ? { code, message } : undefined;
}

/** The body of an error. */
export function writeGatewayError({ code, message }: GatewayErrorBody): JsonObject {
  return { code, message };
}
