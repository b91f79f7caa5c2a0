/**
 * Writes `docs/images/explorer-overview.webp` and `docs/images/explorer-call-tree.webp`: the explorer of a chain of
 * `dist/appchain` with some transfers, one of them reverted. Needs Debian's Chromium. Nothing compares the pictures:
 * times and fonts differ from run to run.
 */
import { join } from "node:path";
import type { Page } from "puppeteer-core";
import { startChain } from "../test/helpers/binary.ts";
import { openBrowser } from "../test/helpers/chromium.ts";
import { revertedTransfer } from "../test/helpers/reverted-transfer.ts";
import { temporaryFolder } from "../test/helpers/temporary-folder.ts";
import { transferCall } from "../test/helpers/tokens.ts";

const IMAGES = join(import.meta.dir, "../docs/images");
const SIZE = { width: 1280, height: 800 };
const TRANSFERS = 12;
/** Time for a view to load its data and draw it, in milliseconds. */
const SETTLE_MS = 2_000;

async function shoot(page: Page, address: string, name: string): Promise<void> {
  await page.goto(address, { waitUntil: "load" });
  await page.reload({ waitUntil: "load" });
  await Bun.sleep(SETTLE_MS);
  await page.screenshot({ path: join(IMAGES, `${name}.webp`), type: "webp", quality: 85 });
}

using folder = temporaryFolder();
const chain = await startChain({
  basePath: folder.path,
  args: ["--explorer", "on", "--block-time", "1s"],
});
const browser = await openBrowser();
try {
  for (let i = 0; i < TRANSFERS; i++) {
    const call = transferCall(`0x${(0x100 + i).toString(16)}`, 10n ** 18n);
    const { transaction_hash: hash } = await chain.account(i % 5).execute(call);
    await chain.provider.waitForTransaction(hash, { retryInterval: 50 });
  }
  const reverted = await revertedTransfer(chain);
  const page = await browser.newPage();
  await page.setViewport(SIZE);
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  await shoot(page, `${chain.url}/explorer/#/`, "explorer-overview");
  await shoot(page, `${chain.url}/explorer/#/tx/${reverted}?tab=calls`, "explorer-call-tree");
} finally {
  await browser.close();
  await chain.stop();
}
