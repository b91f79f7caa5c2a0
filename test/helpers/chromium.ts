import { existsSync } from "node:fs";
import { type Browser, launch, type Page } from "puppeteer-core";

/** Debian's path of Chromium. */
const PROGRAM = "/usr/bin/chromium";

/** Whether this machine has the browser. */
export const hasChromium: boolean = existsSync(PROGRAM);

/** A page with everything that it should not do. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors of the console and of scripts, and requests to other origins. */
  readonly faults: readonly string[];
}

/** Starts the browser without a window, and without the requests that it makes in the background. */
export function openBrowser(): Promise<Browser> {
  return launch({
    executablePath: PROGRAM,
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/**
 * Opens an empty page that records faults.
 *
 * @param origin - the only origin that it may request
 */
export async function openPage(browser: Browser, origin: string): Promise<WatchedPage> {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(origin)) faults.push(`request to ${request.url()}`);
  });
  return { page, faults };
}
