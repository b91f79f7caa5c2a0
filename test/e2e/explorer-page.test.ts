import { afterAll, beforeAll, describe, expect } from "bun:test";
import { join } from "node:path";
import type { Browser, Page } from "puppeteer-core";
import { resultOf } from "#test/helpers/binary.ts";
import { hasChromium, openBrowser, openPage, type WatchedPage } from "#test/helpers/chromium.ts";
import { revertedTransfer } from "#test/helpers/reverted-transfer.ts";
import { STRK, transferCall } from "#test/helpers/tokens.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";
import { test as anyTest } from "bun:test";

const test = anyTest.skipIf(!hasChromium);
const AXE = join(import.meta.dir, "../../node_modules/axe-core/axe.min.js");
const WAIT_MS = 20_000;

/** Runs axe-core in the page. @returns a line for each violation */
const RUN_AXE = `axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ": " + nodes[0].html))`;

const ARGS = ["--explorer", "on", "--block-time", "1s"];
const chain = useStoppedChain();
let browser: Browser | undefined;
let view: WatchedPage;

beforeAll(async () => {
  if (!hasChromium) return;
  await chain.start({ args: ARGS });
  browser = await openBrowser();
  view = await openPage(browser, chain.url);
});
afterAll(() => browser?.close());

async function open(path: string): Promise<Page> {
  const { page } = view;
  await page.goto(`${chain.url}/explorer/${path}`, { waitUntil: "load" });
  await page.reload({ waitUntil: "load" });
  return page;
}

/** Returns the text on screen. */
async function shownText(page: Page): Promise<string> {
  return (await page.evaluate("document.body.innerText")) as string;
}

/** Opens the form of a function, fills its fields, and submits it. */
async function submitForm(page: Page, name: string, values: readonly string[]): Promise<void> {
  for (const summary of await page.$$("details > summary")) {
    const text = await summary.evaluate((one) => one.textContent);
    if (text !== name) continue;
    await summary.click();
    const form = await summary.evaluateHandle((one) => one.nextElementSibling);
    const fields = (await form.asElement()?.$$("input")) ?? [];
    for (const [i, field] of fields.entries()) await field.type(values[i] ?? "");
    await (await form.asElement()?.$("button"))?.click();
    return;
  }
  expect(name).toBe("a function of the contract");
}

async function isLoaded(page: Page): Promise<boolean> {
  return !(await shownText(page)).includes("Loading");
}

async function untilText(page: Page, text: string): Promise<void> {
  const has = async (): Promise<boolean> => (await shownText(page)).includes(text);
  if (await untilTrue(has, WAIT_MS)) return;
  expect(await shownText(page)).toContain(text);
}

describe("[chromium] the explorer's page", () => {
  test("shows new blocks without a reload", async () => {
    const page = await open("");
    await untilText(page, "live");
    const before = Number(await resultOf(chain, "starknet_blockNumber", {}));
    await untilText(page, `Block ${before + 2}`);
  });

  test("shows why a transaction was reverted, and its call tree", async () => {
    const hash = await revertedTransfer(chain);
    const page = await open(`#/tx/${hash}?tab=calls`);
    await untilText(page, "insufficient balance");
    await untilText(page, "__execute__");
    await untilText(page, "transfer");
    expect(await page.$eval(".tree details.reverted", (one) => one.textContent)).toContain(
      "transfer",
    );
  });

  test("reads a contract by its ABI", async () => {
    const page = await open(`#/contract/${STRK}?tab=read`);
    await untilText(page, "View functions");
    await submitForm(page, "decimals", []);
    await untilText(page, "18");
  });

  test("signs and sends a transaction", async () => {
    const page = await open(`#/contract/${STRK}?tab=write`);
    await untilText(page, "External functions");
    await submitForm(page, "transfer", ["0x5151", "77"]);
    await untilText(page, "Sent:");
    const balance = async (): Promise<boolean> => {
      const request = {
        contract_address: STRK,
        entry_point_selector: "0x2e4263afad30923c891518314c3c95dbe830a16874e8abc5777a9a20b54c76e",
        calldata: ["0x5151"],
      };
      const felts = await resultOf(chain, "starknet_call", { request, block_id: "latest" });
      return JSON.stringify(felts) === '["0x4d","0x0"]';
    };
    expect(await untilTrue(balance, WAIT_MS)).toBe(true);
  });

  test("simulates a transaction again with other calldata", async () => {
    const { transaction_hash: hash } = await chain.account(1).execute(transferCall("0x9", 3n));
    await chain.provider.waitForTransaction(hash, { retryInterval: 50 });
    const page = await open(`#/tx/${hash}?tab=simulate`);
    await untilText(page, "Run it again");
    await page.$eval("textarea", (area) => {
      area.value = area.value.replace(/0x3\n0x0\s*$/, "0x7fffffffffffffffffffffffffff\n0x0");
    });
    await page.click("form.body button");
    await untilText(page, "Simulated:");
    await untilText(page, "insufficient balance");
  });

  test("has no violation of WCAG level A or AA on its views, in dark and light", async () => {
    const paths = [
      "",
      "#/blocks",
      "#/block/1",
      `#/contract/${STRK}?tab=read`,
      "#/classes",
      "#/labels",
      "#/control",
    ];
    const found: string[] = [];
    for (const value of ["dark", "light"]) {
      await view.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
      for (const path of paths) {
        const page = await open(path);
        await untilText(page, "live");
        await untilTrue(() => isLoaded(page), WAIT_MS);
        await page.evaluate(await Bun.file(AXE).text());
        const violations = (await page.evaluate(RUN_AXE)) as readonly string[];
        found.push(...violations.map((one) => `${value} ${path}: ${one}`));
      }
    }
    expect(found).toEqual([]);
  });

  test("finds what a search names", async () => {
    const page = await open("");
    await untilText(page, "live");
    await page.type('input[type="search"]', "0");
    await page.keyboard.press("Enter");
    await untilText(page, "Block 0");
  });

  test("continues without a reload when the node is killed and started again", async () => {
    const { rpcPort } = chain;
    const page = await open("");
    await untilText(page, "live");
    const faultsBefore = view.faults.length;
    await chain.stop("SIGKILL");
    await untilText(page, "connection lost");
    await chain.start({ args: ARGS, rpcPort });
    await untilText(page, "live");
    // The browser itself reports the lost connection.
    (view.faults as string[]).length = faultsBefore;
  });

  test("made no request to another origin, and reported no error", () => {
    expect(view.faults).toEqual([]);
  });
});
