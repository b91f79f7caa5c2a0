import { decodeFelts } from "../abi/decode.ts";
import { EMPTY_ABI } from "../abi/abi.ts";
import { selectorOf } from "../abi/selector.ts";
import { shortString } from "../abi/scalar-text.ts";
import { feltsOf } from "../decode/calls.ts";
import type { Json } from "../rpc/json.ts";
import { PageError } from "../rpc/page-error.ts";
import type { RpcCall } from "../rpc/rpc-client.ts";
import { rpc } from "./chain.ts";

/** What a token's contract says about itself. */
export interface TokenInfo {
  /** Empty if the contract has none. */
  readonly symbol: string;
  readonly decimals: number;
  /** Whether it has a symbol, decimals, or the interface of ERC-721. */
  readonly isToken: boolean;
  /** Whether it says that it is an ERC-721: its transfers have a token's id instead of an amount. */
  readonly isNft: boolean;
}

/** Sends calls; a result or an error for each. */
type Batch = (calls: readonly RpcCall[]) => Promise<readonly (Json | PageError)[]>;

/**
 * Questions whether a token is an ERC-721, by interface: the function and the interface's id. Sources: SRC-5 id of
 * `IERC721` in OpenZeppelin's contracts for Cairo; ERC-165 id in ERC-721, which contracts of Cairo 0 use.
 */
const NFT_QUESTIONS = [
  ["supports_interface", "0x33eb2f84c309543403fd69f0d0f363781ef06ef6faeb0131ff16ea3175bd943"],
  ["supportsInterface", "0x80ac58cd"],
] as const;

const known = new Map<string, Promise<TokenInfo>>();
const MAX_KNOWN = 500;
/** Longest symbol that is shown, in characters. */
const MAX_SYMBOL = 16;

/** Returns the symbol and decimals of a token; an empty symbol if its contract has none. */
export function tokenInfo(token: string): Promise<TokenInfo> {
  let loading = known.get(token);
  if (loading === undefined) {
    if (known.size >= MAX_KNOWN) known.clear();
    loading = readToken(token, (calls) => rpc.batch(calls));
    known.set(token, loading);
  }
  return loading;
}

/** Asks a token's contract what it is. @throws {PageError} when the node does not respond */
export async function readToken(token: string, batch: Batch): Promise<TokenInfo> {
  const call = (name: string, ...calldata: readonly string[]) => ({
    method: "starknet_call",
    params: {
      block_id: "latest",
      request: { contract_address: token, entry_point_selector: selectorOf(name), calldata },
    },
  });
  const [symbol, decimals, ...answers] = await batch([
    call("symbol"),
    call("decimals"),
    ...NFT_QUESTIONS.map(([name, id]) => call(name, id)),
  ]);
  const digits = decimals instanceof PageError ? undefined : feltsOf(decimals)[0];
  const count = digits === undefined ? 0 : Number(BigInt(digits));
  const isNft = answers.some((one) => !(one instanceof PageError) && feltsOf(one)[0] === "0x1");
  return {
    isToken: isNft || !(symbol instanceof PageError) || !(decimals instanceof PageError),
    symbol: symbol instanceof PageError ? "" : symbolOf(feltsOf(symbol)).slice(0, MAX_SYMBOL),
    decimals: count <= 77 ? count : 0,
    isNft,
  };
}

/** A short string, or a ByteArray. */
function symbolOf(felts: readonly string[]): string {
  if (felts.length === 1) return shortString(felts[0] ?? "") ?? "";
  const type = "core::byte_array::ByteArray";
  return decodeFelts(EMPTY_ABI, [{ name: "symbol", type, kind: "" }], felts).values[0]?.text ?? "";
}
