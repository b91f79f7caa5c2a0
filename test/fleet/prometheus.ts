/** Response of Prometheus. */
interface Answer<T> {
  readonly status: string;
  readonly error?: string;
  readonly data: T;
}

/** A value of an expression with its labels. */
export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

/** Client of a Prometheus server. */
export class PrometheusClient {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** @throws {TypeError} when the expression cannot be evaluated */
  async query(expr: string): Promise<readonly Sample[]> {
    const { result } = await this.#get<{ result: Sample[] }>("query", { query: expr });
    return result;
  }

  /** Names of all scraped metrics, also of those without a value. */
  async names(): Promise<ReadonlySet<string>> {
    return new Set(Object.keys(await this.#get<Record<string, unknown>>("metadata", {})));
  }

  /** Health of each scraped address. */
  async health(): Promise<readonly string[]> {
    const { activeTargets } = await this.#get<{ activeTargets: { health: string }[] }>(
      "targets",
      {},
    );
    return activeTargets.map(({ health }) => health);
  }

  /** Names of alerts that are firing or pending. */
  async alerts(): Promise<readonly string[]> {
    type Alert = { readonly labels: { readonly alertname: string } };
    const { alerts } = await this.#get<{ alerts: Alert[] }>("alerts", {});
    return alerts.map(({ labels }) => labels.alertname);
  }

  async #get<T>(path: string, parameters: Readonly<Record<string, string>>): Promise<T> {
    const url = `${this.#url}/api/v1/${path}?${new URLSearchParams(parameters).toString()}`;
    const answer = (await (await fetch(url)).json()) as Answer<T>;
    if (answer.status !== "success") throw new TypeError(`${url}: ${answer.error}`);
    return answer.data;
  }
}
