import { expect } from "bun:test";
import type { Browser, CDPSession, Page } from "puppeteer-core";
import { openPage, type WatchedPage } from "./chromium.ts";
import { untilTrue } from "./until-true.ts";

const WAIT_MS = 20_000;

/** Time without a change after which a view is complete, in milliseconds. */
const SETTLED_MS = 300;

/** Records when the page has last stopped loading something, in milliseconds after the start of the navigation. */
const WATCH_DRAWING = `
  window.__drawnMs = null;
  const check = () => {
    const main = document.querySelector("main");
    const isBusy = main === null || main.querySelector(".loading[role=status]") !== null;
    if (isBusy) window.__drawnMs = null;
    else window.__drawnMs ??= performance.now();
    requestAnimationFrame(check);
  };
  check();`;

/** What a view took until everything was drawn. */
export interface Drawing {
  /** From the start of the navigation. */
  readonly elapsedMs: number;
  /** Processor time of the page's main thread, which a loaded machine does not change much. */
  readonly busyMs: number;
}

/** The explorer of a node in Chromium, with the steps that tests take. */
export class ExplorerPage {
  readonly #url: string;
  readonly #watched: WatchedPage;
  readonly #profiler: CDPSession;

  private constructor(url: string, watched: WatchedPage, profiler: CDPSession) {
    this.#url = url;
    this.#watched = watched;
    this.#profiler = profiler;
  }

  /** @param url - of the node, without a path */
  static async of(browser: Browser, url: string): Promise<ExplorerPage> {
    const watched = await openPage(browser, url);
    await watched.page.evaluateOnNewDocument(WATCH_DRAWING);
    return new ExplorerPage(url, watched, await watched.page.createCDPSession());
  }

  /** The page of the browser. */
  get page(): Page {
    return this.#watched.page;
  }

  /** Errors of the console and of scripts, and requests to other origins, so far. */
  get faults(): readonly string[] {
    return [...this.#watched.faults];
  }

  /** Forgets faults after the first `count`, which a test has caused. */
  forgetFaults(count: number): void {
    (this.#watched.faults as string[]).length = count;
  }

  /** Opens a view as a new visitor does. @param path - such as `#/blocks` */
  async open(path: string): Promise<Page> {
    // A change of the fragment alone would not load the page.
    await this.page.goto("about:blank");
    await this.#profiler.send("Performance.disable");
    await this.#profiler.send("Performance.enable", { timeDomain: "threadTicks" });
    await this.page.goto(`${this.#url}/explorer/${path}`, { waitUntil: "load" });
    return this.page;
  }

  /** Text on screen. */
  async text(): Promise<string> {
    return (await this.page.evaluate("document.body.innerText")) as string;
  }

  /** Waits for a text on screen, and fails with the shown text. */
  async untilText(text: string): Promise<void> {
    const has = async (): Promise<boolean> => (await this.text()).includes(text);
    if (await untilTrue(has, WAIT_MS)) return;
    expect(await this.text()).toContain(text);
  }

  /** Waits until the page is connected and nothing is being loaded. */
  async untilLoaded(): Promise<void> {
    await this.untilText("live");
    const isLoaded = async (): Promise<boolean> => !(await this.text()).includes("Loading ");
    if (await untilTrue(isLoaded, WAIT_MS)) return;
    expect(await this.text()).not.toContain("Loading ");
  }

  /** Waits until nothing is being loaded. @returns what the view took so far */
  async drawing(): Promise<Drawing> {
    const read = "[window.__drawnMs, performance.now()]";
    let drawn: number | null = null;
    const isSettled = async (): Promise<boolean> => {
      const [at, now] = (await this.page.evaluate(read)) as [number | null, number];
      drawn = at;
      return at !== null && now - at > SETTLED_MS;
    };
    expect(await untilTrue(isSettled, WAIT_MS)).toBe(true);
    const { metrics } = await this.#profiler.send("Performance.getMetrics");
    const busySeconds = metrics.find(({ name }) => name === "TaskDuration")?.value ?? Infinity;
    return { elapsedMs: drawn ?? Infinity, busyMs: busySeconds * 1_000 };
  }

  /** Opens the form of a function, fills its fields, and submits it. */
  async submitForm(name: string, values: readonly string[]): Promise<void> {
    for (const summary of await this.page.$$("details > summary")) {
      if ((await summary.evaluate((one) => one.textContent)) !== name) continue;
      await summary.click();
      const form = await this.page.waitForSelector("details[open] > summary + form");
      const fields = (await form?.$$("input")) ?? [];
      for (const [i, field] of fields.entries()) await field.type(values[i] ?? "");
      await (await form?.$("button"))?.click();
      return;
    }
    expect(name).toBe("a function of the contract");
  }
}
