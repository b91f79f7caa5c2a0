import { expect, test } from "bun:test";
import { type JsonValue, stringifyJson } from "#base/codec/index.ts";
import { RPC_ERRORS, type RpcErrorName } from "#api/rpc/index.ts";
import { errorOf, resultOf } from "#test/helpers/rpc.ts";
import { emptyContext } from "#test/helpers/sample-chain.ts";

/** Parameters by name. */
export type NamedParams = Readonly<Record<string, JsonValue>>;

/** Block id with an unknown hash. */
export const NO_BLOCK: JsonValue = { block_hash: "0x9" };

/** Tests that parameters are rejected with -32602 at `path`. */
export function testBadParams(method: string, params: JsonValue, path: string): void {
  test(`${method} rejects ${stringifyJson(params).slice(0, 80)} at ${path}`, async () => {
    const error = await errorOf(method, params);
    expect(error).toMatchObject({ code: -32602, message: "Invalid params", data: { path } });
  });
}

/** Tests the handling of block ids that all methods share. */
export function testBlockId(method: string, otherParams: NamedParams = {}): void {
  const at = (block_id: JsonValue): NamedParams => ({ ...otherParams, block_id });

  for (const block_id of [
    NO_BLOCK,
    { block_number: 99 },
    { block_number: Number.MAX_SAFE_INTEGER },
    { block_number: 1n << 53n },
    { block_number: 10n ** 80n },
    { block_number: 1e300 },
  ]) {
    test(`${method} responds BLOCK_NOT_FOUND for the unknown block ${stringifyJson(block_id)}`, async () => {
      expect(await errorOf(method, at(block_id))).toEqual(errorObject("BLOCK_NOT_FOUND"));
    });
  }
  for (const tag of ["latest", "l1_accepted", "pre_confirmed"]) {
    test(`${method} responds BLOCK_NOT_FOUND at ${tag} before the first block`, async () => {
      expect(await errorOf(method, at(tag), emptyContext())).toEqual(
        errorObject("BLOCK_NOT_FOUND"),
      );
    });
  }
  testBadParams(method, at("pending"), "block_id");
  testBadParams(method, at({}), "block_id");
  testBadParams(method, at({ block_number: -1 }), "block_id.block_number");
  testBadParams(method, at({ block_number: -(10n ** 30n) }), "block_id.block_number");
  testBadParams(method, at({ block_number: 0.5 }), "block_id.block_number");
  testBadParams(method, at({ block_hash: "latest" }), "block_id.block_hash");
  testBadParams(method, { ...otherParams }, "block_id");
  testBadParams(method, { ...at("latest"), block: 1 }, "block");
}

/** Tests that positional parameters are equivalent to named ones. */
export function testByPosition(method: string, params: NamedParams): void {
  test(`${method} accepts positional parameters`, async () => {
    expect(await resultOf(method, Object.values(params))).toEqual(await resultOf(method, params));
  });
}

/** Error of the table, without data. */
export function errorObject(name: RpcErrorName): { code: number; message: string } {
  return { code: RPC_ERRORS[name].code, message: RPC_ERRORS[name].message };
}
