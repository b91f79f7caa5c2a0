import { feltsOf } from "../../decode/calls.ts";
import { selectorOf } from "../../abi/selector.ts";
import { decimalText } from "../../decode/amounts.ts";
import { Fact } from "../../parts/basic.tsx";
import { objectOf, textOf } from "../../rpc/json.ts";
import { PageError } from "../../rpc/page-error.ts";
import { rpc } from "../../state/chain.ts";
import { useLoad } from "../../state/load.ts";
import { nodeStatus } from "../../state/node-status.ts";
import { useStore } from "../../state/store.ts";

/** Balances of the chain's fee tokens. */
export function Balances({ address }: { readonly address: string }) {
  const tokens = objectOf(useStore(nodeStatus)?.["fee_tokens"]);
  const [strk, eth] = [textOf(tokens["strk"]), textOf(tokens["eth"])];
  const loaded = useLoad(`balances ${address} ${strk}`, () => balances(address, [strk, eth]), {
    isLive: true,
  });
  if (strk === "" || loaded.state !== "ready") return null;
  return (
    <Fact name="Balance">
      {["STRK", "ETH"].map((symbol, i) => (
        <div key={symbol}>
          {loaded.value[i] === null || loaded.value[i] === undefined
            ? `${symbol}: unknown`
            : `${decimalText(loaded.value[i] ?? 0n, 18, 18)} ${symbol}`}
        </div>
      ))}
    </Fact>
  );
}

async function balances(
  address: string,
  tokens: readonly string[],
): Promise<readonly (bigint | null)[]> {
  const known = tokens.filter((token) => token !== "");
  const results = await rpc.batch(
    known.map((token) => ({
      method: "starknet_call",
      params: {
        block_id: "pre_confirmed",
        request: {
          contract_address: token,
          entry_point_selector: selectorOf("balanceOf"),
          calldata: [address],
        },
      },
    })),
  );
  return results.map((one) => {
    if (one instanceof PageError) return null;
    const [low = "0x0", high = "0x0"] = feltsOf(one);
    return BigInt(low) + (BigInt(high) << 128n);
  });
}
