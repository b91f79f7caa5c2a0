import type { Port } from "#base/primitives/index.ts";
import type { FromVerifier, ToVerifier } from "./messages.ts";
import type { BlockVerifier, ClassVerifier } from "./ports.ts";

/** Dependencies of a {@link VerifierService}. */
export interface VerifierServiceDeps {
  readonly port: Port<ToVerifier, FromVerifier>;
  readonly verifier: BlockVerifier & ClassVerifier;
  /** Called with the error that ends the service. */
  readonly fail: (error: unknown) => void;
}

/** Answers the requests of {@link VerifierClient}. Stateless: unanswered requests are sent again. */
export class VerifierService {
  readonly #deps: VerifierServiceDeps;

  constructor(deps: VerifierServiceDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { port, fail } = this.#deps;
    port.listen((message) => void this.#answer(message).catch(fail));
  }

  async #answer(message: ToVerifier): Promise<void> {
    const { port, verifier } = this.#deps;
    if (message.kind === "checkBlock") {
      const outcome = await verifier.checkBlock(message.request);
      // Classes are copied, not transferred: they are few, and each has its own buffer.
      const moved = outcome.kind === "checked" ? [outcome.bundle.buffer] : [];
      port.send({ kind: "blockChecked", id: message.id, outcome }, moved);
    } else {
      const outcome = await verifier.checkClass(message.request);
      port.send({ kind: "classChecked", id: message.id, outcome });
    }
  }
}
