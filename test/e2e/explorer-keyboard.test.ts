import { afterAll, beforeAll, describe, expect, test as anyTest } from "bun:test";
import type { Browser, Page } from "puppeteer-core";
import { resultOf } from "#test/helpers/binary.ts";
import { hasChromium, openBrowser } from "#test/helpers/chromium.ts";
import { ExplorerPage } from "#test/helpers/explorer-page.ts";
import { DEPLOYER } from "#test/helpers/frames-contract.ts";
import { revertedTransfer } from "#test/helpers/reverted-transfer.ts";
import { ETH, NO_ESTIMATE, STRK, transferCall } from "#test/helpers/tokens.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";

const test = anyTest.skipIf(!hasChromium);
const chain = useStoppedChain({ args: ["--explorer", "on"] });
let browser: Browser | undefined;
let view: ExplorerPage;

beforeAll(async () => {
  if (!hasChromium) return;
  await chain.start();
  browser = await openBrowser();
  view = await ExplorerPage.of(browser, chain.url);
}, 120_000);
afterAll(() => browser?.close());

/** Presses of Tab beyond the number of elements: the browser itself also takes the focus. */
const MORE_TABS = 20;
/** Links of the navigation, the search, and the buttons of the header. */
const FEWEST = 10;

/** Marks everything that a mouse can use, and returns how many there are that are on screen. */
const MARK = `(() => {
  const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary")];
  const usable = all.filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility());
  usable.forEach((one, i) => (one.dataset.keyed = String(i)));
  return usable.length;
})()`;

/** Describes the focused element: its mark, and whether it shows that it has the focus. */
const FOCUSED = `(() => {
  const one = document.activeElement;
  if (one === null || one === document.body) return null;
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  const box = one.getBoundingClientRect();
  const isOnScreen = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
  const isMarked = outlineStyle !== "none" && parseFloat(outlineWidth) >= 1;
  const html = one.cloneNode(false).outerHTML.slice(0, 160);
  return { mark: one.dataset.keyed ?? null, isVisible: isMarked && isOnScreen, html };
})()`;

interface Focused {
  readonly mark: string | null;
  readonly isVisible: boolean;
  readonly html: string;
}

/** Goes through a view with Tab. @returns what the keys do not reach, and focus that is not seen */
async function keyFindings(page: Page): Promise<readonly string[]> {
  const count = (await page.evaluate(MARK)) as number;
  const reached = new Set<string>();
  const hidden: string[] = [];
  for (let i = 0; i < count + MORE_TABS && reached.size < count; i++) {
    await page.keyboard.press("Tab");
    const focused = (await page.evaluate(FOCUSED)) as Focused | null;
    if (focused === null) continue;
    if (focused.mark !== null) reached.add(focused.mark);
    if (!focused.isVisible) hidden.push(`not seen: ${focused.html}`);
  }
  const missing = (await page.evaluate(
    `[...document.querySelectorAll("[data-keyed]")].filter((one) =>
      !${JSON.stringify([...reached])}.includes(one.dataset.keyed)).map((one) => one.outerHTML.slice(0, 160))`,
  )) as readonly string[];
  expect(count).toBeGreaterThan(FEWEST);
  return [...hidden, ...missing.map((one) => `not reached: ${one}`)];
}

describe("[chromium] the explorer by keyboard alone", () => {
  test("reaches everything in every view, with a focus that is seen", async () => {
    const hash = await revertedTransfer(chain);
    const classHash = await chain.provider.getClassHashAt(STRK);
    const paths = [
      ...["", "#/blocks", "#/transactions", "#/waiting", "#/rejected", "#/classes", "#/labels"],
      ...["#/control", "#/block/1", `#/tx/${hash}`, `#/tx/${hash}?tab=calls`],
      ...[`#/tx/${hash}?tab=events`, `#/tx/${hash}?tab=simulate`, `#/tx/${hash}?tab=flame`],
      ...[`#/contract/${STRK}`, `#/contract/${STRK}?tab=token`, `#/contract/${STRK}?tab=read`],
      ...[`#/contract/${STRK}?tab=write`, `#/contract/${STRK}?tab=storage`],
      ...[`#/class/${classHash}`, "#/search/transfer", "#/l1/0x5"],
    ];
    const found: string[] = [];
    for (const path of paths) {
      const page = await view.open(path);
      await view.untilLoaded();
      found.push(...(await keyFindings(page)).map((one) => `${path}: ${one}`));
    }
    expect(found).toEqual([]);
  }, 240_000);

  test("selects tabs with the arrow keys, and keeps the focus there", async () => {
    const page = await view.open(`#/contract/${STRK}`);
    await view.untilText("Transfers of this token");
    await page.focus('[role="tab"][aria-selected="true"]');
    for (const tab of ["transfers", "token", "events"]) {
      await page.keyboard.press("ArrowRight");
      await page.waitForFunction(
        `location.hash.endsWith("tab=${tab}") && document.activeElement?.ariaSelected === "true"`,
      );
    }
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction('location.hash.endsWith("tab=token")');
    await page.keyboard.press("End");
    await page.waitForFunction('location.hash.endsWith("tab=storage")');
    await page.keyboard.press("Home");
    await page.waitForFunction('location.hash.endsWith("tab=transactions")');
  });

  test("reaches the tabs when the address names one that the view lacks", async () => {
    const page = await view.open(`#/contract/${STRK}?tab=nothing`);
    await page.waitForSelector('[role="tab"][tabindex="0"]');
  });

  test("decodes an event by its trace after its contract got another class", async () => {
    const transfer = { ...transferCall("0x9", 3n), contractAddress: ETH };
    const { transaction_hash: sent } = await chain.account(1).execute(transfer, NO_ESTIMATE);
    await chain.provider.waitForTransaction(sent, { retryInterval: 50 });
    const class_hash = await chain.provider.getClassHashAt(DEPLOYER);
    const replaced_classes = [{ contract_address: ETH, class_hash }];
    await resultOf(chain, "devnet_applyStateDiff", { state_diff: { replaced_classes } });
    const page = await view.open(`#/contract/${ETH}?tab=events`);
    const row = `tr:has(a[href="#/tx/${sent}"])`;
    await page.waitForSelector(`${row} td.wide button`);
    await page.focus(`${row} td.wide .row > button`);
    await page.keyboard.press("Enter");
    const name = await page.waitForSelector(`${row} td.wide > strong`);
    expect(await name?.evaluate((one) => one.textContent)).toBe("Transfer");
  });

  test("opens and closes a call of the tree", async () => {
    const page = await view.open(`#/tx/${await revertedTransfer(chain)}?tab=calls`);
    await page.waitForSelector(".tree details");
    await page.focus(".tree summary");
    const isOpen = () => page.$eval(".tree details", (one) => one.open);
    const before = await isOpen();
    await page.keyboard.press("Enter");
    expect(await isOpen()).toBe(!before);
    await page.keyboard.press("Space");
    expect(await isOpen()).toBe(before);
  });
});
