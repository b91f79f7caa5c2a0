import type { Port } from "#base/primitives/index.ts";
import type { FromVerifier, ToVerifier } from "./messages.ts";
import type { BlockVerifier, ClassVerifier } from "./ports.ts";

/** What the verifier's thread works with. */
export interface VerifierServiceDeps {
  readonly port: Port<ToVerifier, FromVerifier>;
  readonly verifier: BlockVerifier & ClassVerifier;
  /** Is told of what ends the service: it cannot go on. */
  readonly fail: (error: unknown) => void;
}

/** Answers what {@link VerifierClient} asks. Has no state: what was not answered is asked again. */
export class VerifierService {
  readonly #deps: VerifierServiceDeps;

  constructor(deps: VerifierServiceDeps) {
    this.#deps = deps;
  }

  /** Hears the other thread. Called once. */
  start(): void {
    const { port, fail } = this.#deps;
    port.listen((message) => void this.#answer(message).catch(fail));
  }

  async #answer(message: ToVerifier): Promise<void> {
    const { port, verifier } = this.#deps;
    if (message.kind === "checkBlock") {
      const outcome = await verifier.checkBlock(message.request);
      // Classes are copied: they are few, and each has bytes of its own.
      const moved = outcome.kind === "checked" ? [outcome.bundle.buffer] : [];
      port.send({ kind: "blockChecked", id: message.id, outcome }, moved);
    } else {
      const outcome = await verifier.checkClass(message.request);
      port.send({ kind: "classChecked", id: message.id, outcome });
    }
  }
}
