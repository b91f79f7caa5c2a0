import type { LegacyErrorMessage } from "#protocol/chain/index.ts";
import type { Address, VmKernel } from "#kernels/vm/index.ts";
import { valueText } from "../failure-text.ts";
import type { HostFailure, LegacyHooks } from "../run-frame.ts";
import { type HintEnvironment, LegacyHintContext } from "./hint-context.ts";
import { HintFailed } from "./hint-failure.ts";
import type { PreparedLegacyProgram } from "./program.ts";
import { referenceValue } from "./references.ts";
import { HintScopes } from "./scopes.ts";
import { Signatures } from "./signatures.ts";

/** Host side of one Cairo 0 run: hints, signatures, error messages. */
export class RunHooks implements LegacyHooks {
  readonly #program: PreparedLegacyProgram;
  readonly #environment: HintEnvironment;

  /**
   * @param signatureSegment - segment of the signature builtin; `undefined` if the program does not use it
   */
  constructor(
    kernel: VmKernel,
    program: PreparedLegacyProgram,
    signatureSegment: number | undefined,
  ) {
    this.#program = program;
    this.#environment = {
      kernel,
      program: program.source,
      scopes: new HintScopes(),
      signatures: new Signatures(signatureSegment),
    };
  }

  /** Whether all scopes entered by hints have been exited. */
  get isInMainScope(): boolean {
    return this.#environment.scopes.isMain;
  }

  hint(number: number, syscall: (at: Address) => HostFailure | undefined): HostFailure | undefined {
    const action = this.#program.actions[number];
    if (action === undefined) return { message: "Unknown Hint", inHint: true };
    const context = new LegacyHintContext(this.#environment, action.hint);
    try {
      switch (action.kind) {
        case "library":
          action.execute(context);
          return undefined;
        case "syscall":
          return syscall(context.pointer("syscall_ptr"));
        case "unknown":
          return {
            message: `Unknown Hint: ${action.hint.code}`,
            inHint: true,
            isUnsupported: true,
          };
      }
    } catch (error) {
      if (!(error instanceof HintFailed)) throw error;
      return { message: error.message, inHint: !error.isMachineError };
    }
  }

  validateSignature(at: Address): string | undefined {
    const { kernel, signatures } = this.#environment;
    return signatures.check(kernel, at);
  }

  errorMessages(pc: number): string {
    let text = "";
    for (const message of this.#program.source.errorMessages) {
      if (message.startPc > pc || message.endPc <= pc) continue;
      text += `Error message: ${this.#substituted(message)}\n`;
    }
    return text;
  }

  /** Replaces `{variable}` with the variable's value if that does not depend on the allocation pointer. */
  #substituted({ text, apTracking, variables }: LegacyErrorMessage): string {
    if (apTracking === null) return text;
    const { kernel, program } = this.#environment;
    let result = text;
    let failed = "";
    for (const [name, index] of variables) {
      const placeholder = `{${name}}`;
      if (!result.includes(placeholder)) continue;
      const reference = program.references[index];
      const isSimple =
        reference !== undefined &&
        !(reference.first.kind === "register" && reference.first.register === "ap") &&
        reference.type.includes("felt");
      const value = isSimple ? referenceValue(kernel, reference, apTracking) : undefined;
      if (value === undefined) failed += `'${name}'`;
      else result = result.replaceAll(placeholder, () => valueText(value));
    }
    if (failed === "") return result;
    return `${result} (Cannot evaluate ap-based or complex references: [${failed}])`;
  }
}
