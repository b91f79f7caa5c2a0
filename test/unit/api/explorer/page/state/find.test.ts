import { describe, expect, test } from "bun:test";
import { readAbi } from "#api/explorer/page/abi/abi.ts";
import { KNOWN_SUBJECTS } from "#api/explorer/page/decode/known-names.ts";
import type { SearchCall } from "#api/explorer/page/decode/search.ts";
import { PageError } from "#api/explorer/page/rpc/page-error.ts";
import { findHits, type FindPort } from "#api/explorer/page/state/find.ts";

const [deployer] = KNOWN_SUBJECTS;
const tokenClass = KNOWN_SUBJECTS.find(({ name }) => name === "ERC-20 token");
// Source: selector of the ERC-20 interface in Starknet's documentation of tokens.
const TRANSFER = "0x83afd3f4caedc6eebf44246fe54e38c95e3179a5ec9ea81740eca5b482d12e";
const ABI = readAbi([{ type: "function", name: "transfer", inputs: [], outputs: [] }]);

/** A chain on which the named requests succeed: `method argument`. */
function chainWith(existing: readonly string[], more: Partial<FindPort> = {}): FindPort {
  const has = ({ method, params }: SearchCall) => {
    const ids = Object.values(params).map((value) => JSON.stringify(value));
    return existing.some((one) => {
      const [name = "", id = ""] = one.split(" ");
      return method.endsWith(name) && ids.some((text) => text.includes(id));
    });
  };
  return {
    batch: (calls) =>
      Promise.resolve(calls.map((call) => (has(call) ? "0x1" : new PageError("absent", 20)))),
    abiOfClass: (hash) => Promise.resolve(hash === tokenClass?.id ? ABI : readAbi([])),
    symbolOf: () => Promise.resolve("PLAY"),
    feeTokens: { strk: "0x4718" },
    labels: new Map(),
    ...more,
  };
}

const shown = async (text: string, port: FindPort) =>
  (await findHits(text, port)).map(({ kind, text: found, link }) =>
    [kind, found, link?.view ?? "-"].join(" | "),
  );

describe("findHits", () => {
  test("finds the deployer by a short name where the chain has it", async () => {
    const hits = await shown("udc", chainWith([`getClassHashAt ${deployer?.id}`]));
    expect(hits[0]).toBe(`Universal deployer (contract) | ${deployer?.id} | contract`);
    expect(hits.filter((one) => one.includes("deployer"))).toHaveLength(1);
  });

  test.each(["STRK", "play"])("finds a fee token by name or symbol: %s", async (text) => {
    expect(await shown(text, chainWith([]))).toContain("Fee token PLAY | 0x4718 | contract");
  });

  test("lists the functions with a name, its selector and its felt, and opens none of them", async () => {
    const hits = await findHits("transfer", chainWith([]));
    expect(hits.map(({ kind }) => kind)).toEqual([
      "Function of the class “ERC-20 token”",
      "Selector of this name",
      "Felt of this short string",
    ]);
    expect(hits.some(({ isSubject }) => isSubject)).toBe(false);
  });

  test("names the function of a selector", async () => {
    expect(await shown(TRANSFER, chainWith([]))).toEqual([
      "Function of the class “ERC-20 token” | transfer | class",
    ]);
  });

  test.each([
    ["getClassHashAt 0x5", "contract"],
    ["getClass 0x5", "class"],
    ["getTransactionByHash 0x5", "tx"],
    ["getMessagesStatus 0x5", "l1"],
    ["nothing", "contract"],
  ])("links a label to what it names: %s", async (existing, view) => {
    const port = chainWith([existing], { labels: new Map([["0x5", "My vault"]]) });
    expect((await shown("VAULT", port))[0]).toBe(`Label “My vault” | 0x5 | ${view}`);
  });

  test("lists a felt that is several things once for each", async () => {
    const port = chainWith(["getClassHashAt 0xab", "getTransactionByHash 0xab"]);
    expect(await shown("0xab", port)).toEqual([
      "transaction | 0xab | tx",
      "contract | 0xab | contract",
    ]);
  });

  test("finds a transaction on L1 by a hash that is no felt", async () => {
    const hash = `0x${"f".repeat(64)}`;
    expect(await shown(hash, chainWith([`getMessagesStatus ${hash}`]))).toEqual([
      `transaction on L1 | ${hash} | l1`,
    ]);
  });

  test("finds nothing for an empty text", async () => {
    expect(await findHits("  ", chainWith([]))).toEqual([]);
  });
});
