import { join } from "node:path";
import {
  FRESH_RECIPIENTS,
  type PostOrder,
  type PostReport,
  type SenderKey,
  type SignOrder,
  type TransferOrder,
} from "./transfer-messages.ts";

/** Senders in a separate process, see `transfer-client.ts`. */
export class TransferProcess implements Disposable {
  readonly #child: Bun.Subprocess;
  #settle: ((report: PostReport | null) => void) | undefined;

  constructor() {
    this.#child = Bun.spawn([process.execPath, join(import.meta.dir, "transfer-client.ts")], {
      stdout: "inherit",
      stderr: "inherit",
      ipc: (report: PostReport | null) => this.#settle?.(report),
    });
  }

  /**
   * Signs the first transfers of a chain, each to a separate address, for repeated use whenever the
   * chain is reset.
   */
  async sign(chainId: string, senders: readonly SenderKey[], count: number): Promise<void> {
    const range = { from: 0, count, recipients: FRESH_RECIPIENTS, perSecond: 0 };
    await this.signRange({ chainId, senders, ...range });
  }

  /** Signs a range, replacing earlier signed transfers. */
  async signRange(order: Omit<SignOrder, "kind">): Promise<void> {
    await this.#tell({ kind: "sign", ...order });
  }

  /** Posts a range. @throws TypeError if one was rejected */
  async post(order: Omit<PostOrder, "kind">): Promise<PostReport> {
    const report = await this.#tell({ kind: "post", ...order });
    if (report === null || report.refused > 0) {
      throw new TypeError(`${report?.refused} of ${order.count} were refused: ${report?.error}`);
    }
    return report;
  }

  [Symbol.dispose](): void {
    this.#child.kill();
  }

  async #tell(order: TransferOrder): Promise<PostReport | null> {
    const answer = new Promise<PostReport | null>((resolve) => (this.#settle = resolve));
    this.#child.send(order);
    const ended = this.#child.exited.then((code): never => {
      throw new TypeError(`the senders' process ended with ${code}`);
    });
    return await Promise.race([answer, ended]);
  }
}
