import { afterAll, beforeAll, describe, expect, test as anyTest } from "bun:test";
import { join } from "node:path";
import type { Browser } from "puppeteer-core";
import { resultOf } from "#test/helpers/binary.ts";
import { blockDelaysMs } from "#test/helpers/block-delays.ts";
import { hasChromium, openBrowser } from "#test/helpers/chromium.ts";
import { ExplorerPage } from "#test/helpers/explorer-page.ts";
import {
  classHashOfFile,
  deployCall,
  DEPLOYER,
  FRAMES_FILE,
} from "#test/helpers/frames-contract.ts";
import { revertedTransfer } from "#test/helpers/reverted-transfer.ts";
import { bySize, isFullSize } from "#test/helpers/test-size.ts";
import { NO_ESTIMATE, STRK, transferCall } from "#test/helpers/tokens.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";

const test = anyTest.skipIf(!hasChromium);
const AXE = join(import.meta.dir, "../../node_modules/axe-core/axe.min.js");
const WAIT_MS = 20_000;

const NEW_BLOCKS = bySize({ quick: 5, full: 100 });
const BETWEEN_BLOCKS_MS = 200;
/** A block that needs longer is late: at full size, the bound that the explorer promises. */
const BLOCK_BOUND_MS = bySize({ quick: 10_000, full: 1_000 });

/** Runs axe-core in the page. @returns a line for each violation */
const RUN_AXE = `axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ": " + nodes[0].html))`;

/** Whether the page has to be scrolled sideways. */
const IS_TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth";

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const QUICK_SCREENS = [
  { theme: "dark", ...DESKTOP },
  { theme: "light", ...PHONE },
];
const SCREENS = bySize({
  quick: QUICK_SCREENS,
  full: [...QUICK_SCREENS, { theme: "light", ...DESKTOP }, { theme: "dark", ...PHONE }],
});

const ARGS = ["--explorer", "on", "--block-time", "1s", "--predeclare-class", FRAMES_FILE];
const chain = useStoppedChain();
let browser: Browser | undefined;
let view: ExplorerPage;

beforeAll(async () => {
  if (!hasChromium) return;
  await chain.start({ args: ARGS });
  browser = await openBrowser();
  view = await ExplorerPage.of(browser, chain.url);
});
afterAll(() => browser?.close());

/** Sends calls from an account, and waits until they are in a block. @returns the hash */
async function send(
  calls: Parameters<ReturnType<typeof chain.account>["execute"]>[0],
): Promise<string> {
  const { transaction_hash: hash } = await chain.account(1).execute(calls, NO_ESTIMATE);
  await chain.provider.waitForTransaction(hash, { retryInterval: 50 });
  return hash;
}

describe("[chromium] the explorer's page", () => {
  test("shows new blocks without a reload", async () => {
    await view.open("");
    await view.untilText("live");
    const before = Number(await resultOf(chain, "starknet_blockNumber", {}));
    await view.untilText(`Block ${before + 2}`);
  });

  test(`shows each of ${NEW_BLOCKS} new blocks on screen in time`, async () => {
    const page = await view.open("");
    await view.untilLoaded();
    const delays = await blockDelaysMs(page, chain.url, NEW_BLOCKS, async () => {
      await resultOf(chain, "devnet_createBlock");
      await Bun.sleep(BETWEEN_BLOCKS_MS);
    });
    const worstMs = Math.max(...delays);
    const medianMs = delays.toSorted((a, b) => a - b)[delays.length >> 1];
    const figures = `${delays.length} blocks: median ${medianMs} ms, worst ${worstMs} ms`;
    if (isFullSize) process.stdout.write(`${figures}\n`);
    expect(delays.length).toBeGreaterThanOrEqual(NEW_BLOCKS);
    expect(worstMs).toBeLessThan(BLOCK_BOUND_MS);
  }, 180_000);

  test("shows why a transaction was reverted, and its call tree", async () => {
    const hash = await revertedTransfer(chain);
    const page = await view.open(`#/tx/${hash}?tab=calls`);
    await view.untilText("insufficient balance");
    const failed = await page.waitForSelector(".tree details.reverted details.reverted");
    expect(await failed?.evaluate((one) => one.textContent)).toContain("insufficient balance");
  });

  test("decodes a call by the class that ran it, after its contract was upgraded", async () => {
    const { address, call } = deployCall(classHashOfFile(FRAMES_FILE), "0x1");
    await send([call]);
    const other = await chain.provider.getClassHashAt(DEPLOYER);
    const hash = await send([
      { contractAddress: address, entrypoint: "replace", calldata: [other] },
    ]);
    await view.open(`#/tx/${hash}`);
    await view.untilText("class_hash");
    await view.open(`#/tx/${hash}?tab=flame`);
    await view.untilText("replace");
  });

  test("reads a contract by its ABI", async () => {
    await view.open(`#/contract/${STRK}?tab=read`);
    await view.untilText("View functions");
    await view.submitForm("decimals", []);
    await view.untilText("18");
  });

  test("signs and sends a transaction", async () => {
    await view.open(`#/contract/${STRK}?tab=write`);
    await view.untilText("External functions");
    await view.submitForm("transfer", ["0x5151", "77"]);
    await view.untilText("Sent:");
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
    const hash = await send([transferCall("0x9", 3n)]);
    const page = await view.open(`#/tx/${hash}?tab=simulate`);
    await view.untilText("Run it again");
    await page.$eval("textarea", (area) => {
      area.value = area.value.replace(/0x3\n0x0\s*$/, "0x7fffffffffffffffffffffffffff\n0x0");
    });
    await page.click("form.body button");
    await view.untilText("Simulated:");
    await view.untilText("insufficient balance");
  });

  test("fits the screen and has no violation of WCAG level A or AA, on every view", async () => {
    const hash = await revertedTransfer(chain);
    const classHash = await chain.provider.getClassHashAt(STRK);
    const tabs = (path: string, ...names: readonly string[]): readonly string[] =>
      names.map((name) => `${path}?tab=${name}`);
    const paths = [
      ...["", "#/blocks", "#/transactions", "#/waiting", "#/classes", "#/labels", "#/control"],
      ...tabs("#/block/1", "transactions", "events", "state", "raw"),
      ...tabs(`#/tx/${hash}`, "summary", "calls", "flame", "events", "state", "simulate", "raw"),
      ...tabs(`#/contract/${STRK}`, "transactions", "transfers", "events", "read", "write"),
      ...tabs(`#/class/${classHash}`, "abi", "contracts", "entries", "raw"),
      ...tabs(`#/contract/${STRK}`, "token", "storage"),
      ...["#/search/transfer", "#/l1/0x5", "#/nothing"],
    ];
    const found: string[] = [];
    for (const { theme, width, height } of SCREENS) {
      await view.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
      await view.page.setViewport({ width, height });
      for (const path of paths) {
        const page = await view.open(path);
        await view.untilLoaded();
        const isWide = await page.evaluate(IS_TOO_WIDE);
        await page.evaluate(await Bun.file(AXE).text());
        const violations = (await page.evaluate(RUN_AXE)) as readonly string[];
        const problems = isWide === true ? ["too wide", ...violations] : violations;
        found.push(...problems.map((one) => `${theme} ${width} ${path}: ${one}`));
      }
    }
    expect(found).toEqual([]);
  }, 900_000);

  test("finds what a search names", async () => {
    const page = await view.open("");
    await view.untilText("live");
    await page.type('input[type="search"]', "0");
    await page.keyboard.press("Enter");
    await view.untilText("Block 0");
  });

  test("finds known contracts by name, and functions by name", async () => {
    const page = await view.open("#/search/udc");
    await page.waitForSelector(`main a[href="#/contract/${DEPLOYER}"]`);
    await view.open("#/search/transfer");
    await view.untilText("Function of the class “ERC-20 token”");
  });

  test("continues without a reload when the node is killed and started again", async () => {
    const { rpcPort } = chain;
    await view.open("");
    await view.untilText("live");
    const faultsBefore = view.faults.length;
    await chain.stop("SIGKILL");
    await view.untilText("connection lost");
    await chain.start({ args: ARGS, rpcPort });
    await view.untilText("live");
    // The browser itself reports the lost connection.
    view.forgetFaults(faultsBefore);
  });

  test("made no request to another origin, and reported no error", () => {
    expect(view.faults).toEqual([]);
  });
});
