import { decodeFelts } from "../abi/decode.ts";
import { EMPTY_ABI } from "../abi/abi.ts";
import { selectorOf } from "../abi/selector.ts";
import { shortString } from "../abi/scalar-text.ts";
import { feltsOf } from "../decode/calls.ts";
import { PageError } from "../rpc/page-error.ts";
import { rpc } from "./chain.ts";

/** What a token's contract says about itself. */
export interface TokenInfo {
  /** Empty if the contract has none. */
  readonly symbol: string;
  readonly decimals: number;
}

const known = new Map<string, Promise<TokenInfo>>();
const MAX_KNOWN = 500;
/** Longest symbol that is shown, in characters. */
const MAX_SYMBOL = 16;

/** Returns the symbol and decimals of a token; an empty symbol if its contract has none. */
export function tokenInfo(token: string): Promise<TokenInfo> {
  let loading = known.get(token);
  if (loading === undefined) {
    if (known.size >= MAX_KNOWN) known.clear();
    loading = load(token);
    known.set(token, loading);
  }
  return loading;
}

async function load(token: string): Promise<TokenInfo> {
  const call = (name: string) => ({
    method: "starknet_call",
    params: {
      block_id: "latest",
      request: { contract_address: token, entry_point_selector: selectorOf(name), calldata: [] },
    },
  });
  const [symbol, decimals] = await rpc.batch([call("symbol"), call("decimals")]);
  const digits = decimals instanceof PageError ? undefined : feltsOf(decimals)[0];
  const count = digits === undefined ? 0 : Number(BigInt(digits));
  return {
    symbol: symbol instanceof PageError ? "" : symbolOf(feltsOf(symbol)).slice(0, MAX_SYMBOL),
    decimals: count <= 77 ? count : 0,
  };
}

/** A short string, or a ByteArray. */
function symbolOf(felts: readonly string[]): string {
  if (felts.length === 1) return shortString(felts[0] ?? "") ?? "";
  const type = "core::byte_array::ByteArray";
  return decodeFelts(EMPTY_ABI, [{ name: "symbol", type, kind: "" }], felts).values[0]?.text ?? "";
}
