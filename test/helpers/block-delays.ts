import type { Page } from "puppeteer-core";
import { untilTrue } from "./until-true.ts";

/** Records in the page when the row of each block first appears, in Unix milliseconds. */
const WATCH_ROWS = `
  window.__shownMs = {};
  const note = () => {
    for (const { hash } of document.querySelectorAll('tbody a[href^="#/block/"]'))
      window.__shownMs[hash.slice(8)] ??= Date.now();
  };
  new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
  note();`;

/**
 * Measures how long new blocks need from the notification of a WebSocket client to a row on screen.
 *
 * @param page - shows a live list of blocks
 * @param makeBlock - makes one block
 * @returns delays in milliseconds, one for each block; `Infinity` for one that did not appear
 */
export async function blockDelaysMs(
  page: Page,
  url: string,
  count: number,
  makeBlock: () => Promise<unknown>,
): Promise<readonly number[]> {
  await page.evaluate(WATCH_ROWS);
  const committedMs = new Map<number, number>();
  const socket = new WebSocket(`${url.replace("http", "ws")}/rpc/v0_10`);
  socket.onmessage = ({ data }) => {
    const { params } = JSON.parse(String(data)) as {
      readonly params?: { readonly result: { readonly block_number: number } };
    };
    if (params !== undefined) committedMs.set(params.result.block_number, Date.now());
  };
  await new Promise((opened) => socket.addEventListener("open", opened));
  const request = { jsonrpc: "2.0", id: 1, method: "starknet_subscribeNewHeads", params: {} };
  socket.send(JSON.stringify(request));
  for (let made = 1; made <= count; made++) {
    await makeBlock();
    await untilTrue(() => committedMs.size >= made);
  }
  const shown = (): Promise<Record<number, number>> =>
    page.evaluate("window.__shownMs") as Promise<Record<number, number>>;
  const blocks = [...committedMs.keys()];
  await untilTrue(async () => {
    const known = await shown();
    return blocks.every((block) => known[block] !== undefined);
  });
  socket.close();
  const known = await shown();
  return blocks.map((block) => (known[block] ?? Infinity) - (committedMs.get(block) ?? 0));
}
