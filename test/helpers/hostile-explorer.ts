import { readFileSync, writeFileSync } from "node:fs";
import type { HTTPRequest, Page } from "puppeteer-core";
import { FRAMES_FILE } from "./frames-contract.ts";

/** Markup that would run a script, marks that reverse text, and control characters. */
export const HOSTILE_TEXT =
  '<img src=x onerror="window.__hit=1"><script>window.__hit=1</script>\u202e\u2066\u200b\u0000\u0007\u001b[31m javascript:window.__hit=1';

/** A megabyte of {@link HOSTILE_TEXT}. */
export const HOSTILE_MEGABYTE: string = HOSTILE_TEXT.repeat(
  Math.ceil(2 ** 20 / HOSTILE_TEXT.length),
);

const ENTRIES = 10_000;

const param = (name: string, type: string) => ({ name, type });
const named = (i: number) => `f${i} ${i % 2 === 0 ? HOSTILE_TEXT : ""}`;

/** ABI with 10 000 entries, recursive types, hostile names, and entries of wrong types. */
export function hostileAbi(): readonly unknown[] {
  const many = Array.from({ length: ENTRIES }, (_, i) => ({
    type: "function",
    name: named(i),
    inputs: [param(HOSTILE_TEXT, "a::Loop"), param("n", HOSTILE_TEXT)],
    outputs: [{ type: "a::Loop" }],
    state_mutability: i % 3 === 0 ? "external" : "view",
  }));
  const wide = Array.from({ length: 5_000 }, (_, i) => param(named(i), "core::felt252"));
  return [
    { type: "struct", name: "a::Loop", members: [param("x", "a::Loop"), param("y", "a::Loop")] },
    { type: "enum", name: "a::E", variants: [param("v", "core::array::Array::<a::E>")] },
    {
      type: "event",
      name: "a::Ev",
      kind: "enum",
      variants: [{ ...param("e", "a::Ev"), kind: "nested" }],
    },
    { type: "function", name: "fail", inputs: wide, outputs: [], state_mutability: "view" },
    ...[null, 5, "text", [], { type: 7 }, { type: "function", name: {}, inputs: "x" }],
    { type: "function", name: HOSTILE_MEGABYTE, inputs: [], outputs: [], state_mutability: "view" },
    ...many,
  ];
}

/** Writes the class of `test/contracts/frames` with {@link hostileAbi}. */
export function writeHostileClass(path: string): void {
  const sierra = JSON.parse(readFileSync(FRAMES_FILE, "utf8")) as object;
  writeFileSync(path, JSON.stringify({ ...sierra, abi: JSON.stringify(hostileAbi()) }));
}

/** Felt whose characters are markup with a control character. */
export const HOSTILE_FELT = `0x${Buffer.from("<b onclick=x>\u0007</b>", "latin1").toString("hex")}`;

/** Trace of an invoke with a wide and a deep tree of calls, each of which has panicked with a hostile text. */
export function hostileTrace(contract: string, classHash: string): object {
  const call = (calls: readonly object[]): object => ({
    contract_address: contract,
    class_hash: classHash,
    entry_point_selector: "0x1",
    entry_point_type: "EXTERNAL",
    call_type: "CALL",
    caller_address: contract,
    calldata: [HOSTILE_FELT, HOSTILE_FELT],
    result: [HOSTILE_FELT],
    is_reverted: true,
    events: [{ order: 0, keys: [HOSTILE_FELT], data: [HOSTILE_FELT] }],
    messages: [],
    execution_resources: { l1_gas: 0, l2_gas: 1_000 },
    calls,
  });
  let deep = call([]);
  for (let depth = 0; depth < 300; depth++) deep = call([deep]);
  const wide = Array.from({ length: 5_000 }, () => call([]));
  return { type: "INVOKE", execute_invocation: call([deep, ...wide]) };
}

/** Replaces results of JSON-RPC by method, in all requests of a page. */
export async function answerInstead(
  page: Page,
  results: Readonly<Record<string, (result: object) => unknown>>,
): Promise<void> {
  await page.setRequestInterception(true);
  page.on("request", (request) => void answer(request, results));
}

async function answer(
  request: HTTPRequest,
  results: Readonly<Record<string, (result: object) => unknown>>,
): Promise<void> {
  const text = request.postData();
  if (text === undefined || !request.url().includes("/rpc")) return request.continue();
  const headers = { "content-type": "application/json" };
  const response = await fetch(request.url(), { method: "POST", headers, body: text });
  const calls = [JSON.parse(text) as { id: number; method: string }].flat();
  const answers = [(await response.json()) as { id: number; result?: object }].flat();
  const changed = answers.map((one) => {
    const method = calls.find(({ id }) => id === one.id)?.method ?? "";
    const change = results[method];
    return change === undefined
      ? one
      : { jsonrpc: "2.0", id: one.id, result: change(one.result ?? {}) };
  });
  const body = JSON.stringify(text.startsWith("[") ? changed : changed[0]);
  return request.respond({ status: 200, contentType: "application/json", body });
}
