import { bool } from "#base/codec/index.ts";
import type { GasPrices } from "#protocol/chain/index.ts";
import { optional } from "../../method.ts";
import { gasPrice } from "../codecs.ts";
import { devnetMethod } from "../devnet-context.ts";

/** JSON-RPC method `devnet_setGasPrice`: sets gas prices of the next block and all later ones. */
export const setGasPrice = devnetMethod({
  name: "devnet_setGasPrice",
  family: "write",
  runsOn: "main",
  summary: "Sets gas prices of the next block and all later ones.",
  params: () => ({
    gas_price_wei: optional(gasPrice, undefined),
    data_gas_price_wei: optional(gasPrice, undefined),
    gas_price_fri: optional(gasPrice, undefined),
    data_gas_price_fri: optional(gasPrice, undefined),
    l2_gas_price_wei: optional(gasPrice, undefined),
    l2_gas_price_fri: optional(gasPrice, undefined),
    generate_block: optional(bool, false),
  }),
  result: () => encodePrices,
  errors: [],
  async handler(context, params) {
    const { devnet } = context;
    await devnet.setGasPrices({
      l1Gas: priceOf(params.gas_price_wei, params.gas_price_fri),
      l1DataGas: priceOf(params.data_gas_price_wei, params.data_gas_price_fri),
      l2Gas: priceOf(params.l2_gas_price_wei, params.l2_gas_price_fri),
    });
    if (params.generate_block) await devnet.createBlock(true);
    return devnet.gasPrices();
  },
});

function priceOf(
  wei: bigint | undefined,
  fri: bigint | undefined,
): { readonly wei?: bigint; readonly fri?: bigint } {
  return { ...(wei === undefined ? {} : { wei }), ...(fri === undefined ? {} : { fri }) };
}

function encodePrices({ l1Gas, l1DataGas, l2Gas }: GasPrices) {
  return {
    gas_price_wei: gasPriceJson(l1Gas.wei),
    data_gas_price_wei: gasPriceJson(l1DataGas.wei),
    gas_price_fri: gasPriceJson(l1Gas.fri),
    data_gas_price_fri: gasPriceJson(l1DataGas.fri),
    l2_gas_price_wei: gasPriceJson(l2Gas.wei),
    l2_gas_price_fri: gasPriceJson(l2Gas.fri),
  };
}

/** Prices are JSON numbers without an exponent, as in starknet-devnet. */
function gasPriceJson(price: bigint): number | bigint {
  return price <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(price) : price;
}
