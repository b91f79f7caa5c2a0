import type { Port } from "#base/primitives/index.ts";
import type { FromVerifier, ToVerifier } from "./messages.ts";
import type {
  BlockCheckOutcome,
  BlockCheckRequest,
  BlockVerifier,
  ClassCheckOutcome,
  ClassCheckRequest,
  ClassVerifier,
} from "./ports.ts";
import { Questions } from "./questions.ts";

/**
 * Sends check requests to the verifier's thread. Texts are transferred there and are empty here afterwards.
 */
export class VerifierClient implements BlockVerifier, ClassVerifier {
  readonly #port: Port<FromVerifier, ToVerifier>;
  readonly #blocks = new Questions<BlockCheckOutcome>();
  readonly #classes = new Questions<ClassCheckOutcome>();

  constructor(port: Port<FromVerifier, ToVerifier>) {
    this.#port = port;
    port.listen((message) => {
      if (message.kind === "blockChecked") this.#blocks.answer(message.id, message.outcome);
      else this.#classes.answer(message.id, message.outcome);
    });
  }

  checkBlock(request: BlockCheckRequest): Promise<BlockCheckOutcome> {
    const { text, signatureText } = request;
    const moved = signatureText === undefined ? [text.buffer] : [text.buffer, signatureText.buffer];
    return this.#blocks.ask((id) => this.#port.send({ kind: "checkBlock", id, request }, moved));
  }

  checkClass(request: ClassCheckRequest): Promise<ClassCheckOutcome> {
    const moved = [request.text.buffer];
    return this.#classes.ask((id) => this.#port.send({ kind: "checkClass", id, request }, moved));
  }

  /** Rejects pending and future requests. */
  stop(): void {
    this.#blocks.stop();
    this.#classes.stop();
  }
}
