import type { IncomingMessage } from "node:http";

/** A rule that is in force. */
export interface RuleInForce {
  /** How often it was used. */
  readonly used: number;
  end(): void;
}

/** What rules of all proxies have. */
interface ProxyRule {
  /** How often it is used; left out: until it is taken back. */
  readonly times?: number;
}

/** What a proxy says instead of the honest answers. */
export class ProxyRules<Rule extends ProxyRule> {
  readonly #inForce: MutableRule<Rule>[] = [];

  add(rule: Rule): RuleInForce {
    const added = new MutableRule(rule, () => {
      this.#inForce.splice(this.#inForce.indexOf(added), 1);
    });
    this.#inForce.push(added);
    return added;
  }

  /** Uses the newest rule that fits, once. */
  use(fits: (rule: Rule) => boolean): Rule | undefined {
    return this.#inForce.findLast(({ rule }) => fits(rule))?.use();
  }

  /** Takes all of them back. */
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

/** The text that a request was sent with. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}
