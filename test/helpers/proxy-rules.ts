import type { IncomingMessage } from "node:http";

/** An active rule. */
export interface RuleInForce {
  /** Number of uses. */
  readonly used: number;
  end(): void;
}

/** Common members of the rules of all proxies. */
interface ProxyRule {
  /** Maximum number of uses; omitted for no limit. */
  readonly times?: number;
}

/** Active rules of a proxy. */
export class ProxyRules<Rule extends ProxyRule> {
  readonly #inForce: MutableRule<Rule>[] = [];

  add(rule: Rule): RuleInForce {
    const added = new MutableRule(rule, () => {
      this.#inForce.splice(this.#inForce.indexOf(added), 1);
    });
    this.#inForce.push(added);
    return added;
  }

  /** Uses the newest matching rule once. */
  use(fits: (rule: Rule) => boolean): Rule | undefined {
    return this.#inForce.findLast(({ rule }) => fits(rule))?.use();
  }

  /** Removes all rules. */
  end(): void {
    for (const each of [...this.#inForce]) each.end();
  }
}

class MutableRule<Rule extends ProxyRule> implements RuleInForce {
  used = 0;
  readonly rule: Rule;
  readonly #remove: () => void;
  #hasEnded = false;

  constructor(rule: Rule, remove: () => void) {
    this.rule = rule;
    this.#remove = remove;
  }

  use(): Rule {
    this.used++;
    if (this.used >= (this.rule.times ?? Infinity)) this.end();
    return this.rule;
  }

  end(): void {
    if (!this.#hasEnded) this.#remove();
    this.#hasEnded = true;
  }
}

/** Reads the body of a request as text. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}
