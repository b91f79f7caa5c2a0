import { describe, expect, test } from "bun:test";
import { hash } from "starknet";
import { feltsOf } from "#api/explorer/page/abi/felt.ts";
import { objectOf, textOf } from "#api/explorer/page/rpc/json.ts";
import { PageError } from "#api/explorer/page/rpc/page-error.ts";
import type { RpcCall } from "#api/explorer/page/rpc/rpc-client.ts";
import { readToken } from "#api/explorer/page/state/tokens.ts";

/** A token whose functions return these felts; others are absent. */
function tokenWith(functions: Readonly<Record<string, readonly string[]>>) {
  const results = new Map(
    Object.entries(functions).map(([call, felts]) => {
      const [name = "", ...calldata] = call.split(" ");
      return [[hash.getSelectorFromName(name), ...calldata].join(" "), felts] as const;
    }),
  );
  const answer = ({ params }: RpcCall) => {
    const { entry_point_selector, calldata } = objectOf(params?.["request"]);
    const key = [textOf(entry_point_selector), ...feltsOf(calldata)].join(" ");
    return results.get(key) ?? new PageError("Requested entrypoint does not exist", 21);
  };
  return (calls: readonly RpcCall[]) => Promise.resolve(calls.map(answer));
}

// Source: interface ids of ERC-721 in OpenZeppelin's contracts for Cairo, and in the EIP.
const SRC5 = "0x33eb2f84c309543403fd69f0d0f363781ef06ef6faeb0131ff16ea3175bd943";
const ERC165 = "0x80ac58cd";

describe("readToken", () => {
  test("reads symbol and decimals of an ERC-20", async () => {
    const token = tokenWith({ symbol: ["0x5354524b"], decimals: ["0x12"] });
    expect(await readToken("0x7", token)).toEqual({
      symbol: "STRK",
      decimals: 18,
      isToken: true,
      isNft: false,
    });
  });

  test.each([`supports_interface ${SRC5}`, `supportsInterface ${ERC165}`])(
    "knows an ERC-721 that answers to %s",
    async (question) => {
      const token = tokenWith({ symbol: ["0x4e4654"], [question]: ["0x1"] });
      expect(await readToken("0x7", token)).toEqual({
        symbol: "NFT",
        decimals: 0,
        isToken: true,
        isNft: true,
      });
    },
  );

  test("takes a token that denies the interface for no ERC-721", async () => {
    const token = tokenWith({ [`supports_interface ${SRC5}`]: ["0x0"] });
    expect((await readToken("0x7", token)).isNft).toBe(false);
  });

  test("takes a contract without any of a token's functions for no token", async () => {
    expect((await readToken("0x7", tokenWith({}))).isToken).toBe(false);
  });
});
