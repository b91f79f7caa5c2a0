import { afterAll, beforeAll, describe, expect, test as anyTest } from "bun:test";
import type { Browser } from "puppeteer-core";
import { resultOf } from "#test/helpers/binary.ts";
import { hasChromium, openBrowser } from "#test/helpers/chromium.ts";
import { ExplorerPage } from "#test/helpers/explorer-page.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { bySize, isFullSize } from "#test/helpers/test-size.ts";
import { STRK } from "#test/helpers/tokens.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";

const test = anyTest.skipIf(!hasChromium);
const CHAIN_ID = "APPCHAIN_DEVNET";

const BLOCKS = bySize({ quick: 100, full: 10_000 });
const TRANSFERS = bySize({ quick: 50, full: 500 });
/** Rows of a list before "Show more". */
const ROWS = 100;
/** Processor time after which a view has a fault, on any machine. */
const BOUND_MS = 5_000;

const chain = useStoppedChain();
let browser: Browser | undefined;
let view: ExplorerPage;
let largeBlock = 0;

/** Sends transfers of one account, which wait for a block. @returns the last hash */
async function sendTransfers(count: number): Promise<string> {
  const signer = chain.signer(0);
  let last = "";
  for (let nonce = 0; nonce < count; nonce++) {
    const recipient = 0x9000n + BigInt(nonce);
    const { body, hash } = signedTransfer(CHAIN_ID, signer, BigInt(nonce), recipient);
    await fetch(`${chain.url}/rpc/v0_10`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    last = `0x${hash.toString(16)}`;
  }
  return last;
}

/** Opens a view and returns the processor time until everything was drawn, in milliseconds. */
async function busyMs(path: string): Promise<number> {
  await view.open(path);
  await view.untilLoaded();
  const { elapsedMs, busyMs: busy } = await view.drawing();
  const figures = `${Math.round(busy)} ms of work, drawn after ${Math.round(elapsedMs)} ms`;
  if (isFullSize) process.stdout.write(`${path}: ${figures}\n`);
  return busy;
}

describe("[chromium] the page of a long chain", () => {
  const slow: string[] = [];
  let last = "";

  async function draw(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const ms = await busyMs(path);
      if (ms > BOUND_MS) slow.push(`${path}: ${ms} ms`);
    }
  }

  beforeAll(async () => {
    if (!hasChromium) return;
    await chain.start({ args: ["--explorer", "on", "--block-generation-on", "demand"] });
    browser = await openBrowser();
    view = await ExplorerPage.of(browser, chain.url);
    for (let made = 0; made < BLOCKS; made++) await resultOf(chain, "devnet_createBlock");
  }, 600_000);
  afterAll(() => browser?.close());

  test(`draws a block in production of ${TRANSFERS} transactions`, async () => {
    last = await sendTransfers(TRANSFERS);
    await draw(["#/waiting"]);
    expect(await view.page.$$eval("tbody tr", (rows) => rows.length)).toBe(
      Math.min(ROWS, TRANSFERS),
    );
  }, 300_000);

  test(`draws a block of ${TRANSFERS} transactions`, async () => {
    await resultOf(chain, "devnet_createBlock");
    largeBlock = await chain.provider.getBlockNumber();
    await draw(
      ["transactions", "events", "state", "raw"].map((tab) => `#/block/${largeBlock}?tab=${tab}`),
    );
    await draw([`#/tx/${last}`, `#/tx/${last}?tab=calls`, `#/tx/${last}?tab=flame`]);
    await view.open(`#/block/${largeBlock}`);
    await view.untilText(`Transactions (${TRANSFERS})`);
  }, 300_000);

  test(`draws every list of a chain of ${BLOCKS} blocks`, async () => {
    const indexed = async (): Promise<boolean> => {
      const response = await fetch(`${chain.url}/explorer/api/status`);
      const {
        indexed: { to },
      } = (await response.json()) as { readonly indexed: { readonly to: number } };
      return to >= largeBlock;
    };
    expect(await untilTrue(indexed, 60_000)).toBe(true);
    const account = chain.accounts[0]?.address ?? "";
    await draw([
      "",
      "#/blocks",
      `#/blocks?before=${Math.round(BLOCKS / 2)}`,
      "#/transactions",
      "#/classes",
      "#/labels",
      "#/control",
    ]);
    await draw(
      ["transactions", "transfers", "events", "read", "write", "storage"].map(
        (tab) => `#/contract/${STRK}?tab=${tab}`,
      ),
    );
    await draw([`#/contract/${account}`, `#/contract/${account}?tab=transfers`]);
    const classHash = await chain.provider.getClassHashAt(STRK);
    await draw(
      ["abi", "contracts", "entries", "raw"].map((tab) => `#/class/${classHash}?tab=${tab}`),
    );
  }, 300_000);

  test("took no view longer than a fault would, and reported no error", () => {
    expect(slow).toEqual([]);
    expect(view.faults).toEqual([]);
  });
});
