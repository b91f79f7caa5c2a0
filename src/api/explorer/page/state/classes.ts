import { type Abi, readAbi } from "../abi/abi.ts";
import { type Json, type JsonObject, objectOf } from "../rpc/json.ts";
import { PageError } from "../rpc/page-error.ts";
import { rpc } from "./chain.ts";
import { feltText } from "../abi/felt.ts";

const abis = new Map<string, Promise<Abi>>();
const MAX_ABIS = 200;

/** Returns the ABI of a class; an empty one if the node does not know the class. */
export function abiOfClass(classHash: string): Promise<Abi> {
  const known = abis.get(classHash);
  if (known !== undefined) return known;
  if (abis.size >= MAX_ABIS) abis.clear();
  const loading = loadClass(classHash).then(
    ({ abi }) => readAbi(abi),
    (error: unknown) => {
      abis.delete(classHash);
      if (error instanceof PageError && error.code !== 0) return readAbi([]);
      throw error;
    },
  );
  abis.set(classHash, loading);
  return loading;
}

/** Returns the ABIs of several classes by hash, in the form of {@link feltText}. */
export async function abisOf(classHashes: Iterable<string>): Promise<ReadonlyMap<string, Abi>> {
  const unique = [...new Set(classHashes)].filter((hash) => hash !== "");
  const loaded = await Promise.all(unique.map((hash) => abiOfClass(hash)));
  return new Map(unique.map((hash, i) => [feltText(hash), loaded[i] ?? readAbi([])]));
}

/** Returns a class as declared. */
export async function loadClass(classHash: string): Promise<JsonObject> {
  const params = { block_id: "pre_confirmed", class_hash: classHash };
  return objectOf(await rpc.call("starknet_getClass", params));
}

/** Returns the classes of contracts at a block, by address; contracts without one are absent. */
export async function classesAt(
  addresses: Iterable<string>,
  blockId: Json,
): Promise<ReadonlyMap<string, string>> {
  const unique = [...new Set(addresses)].filter((address) => address !== "");
  const results = await rpc.batch(
    unique.map((address) => ({
      method: "starknet_getClassHashAt",
      params: { block_id: blockId, contract_address: address },
    })),
  );
  return new Map(
    unique.flatMap((address, i): [string, string][] => {
      const hash = results[i];
      return typeof hash === "string" ? [[address, feltText(hash)]] : [];
    }),
  );
}
