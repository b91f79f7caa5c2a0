import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";

const DEPLOY = resolve(import.meta.dir, "../../deploy/fleet");

/** An expression of a file of `deploy`, and where it stands. */
export interface Expression {
  readonly name: string;
  readonly expr: string;
}

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

/** Of every alert. */
export function alertExpressions(): readonly Expression[] {
  const { groups } = parse(readFileSync(`${DEPLOY}/alerts.yml`, "utf8")) as Rules;
  return groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => ({ name: alert, expr })));
}

/** Of every panel of the dashboard. */
export function dashboardExpressions(): readonly Expression[] {
  const text = readFileSync(`${DEPLOY}/grafana/appchain.json`, "utf8");
  const { panels } = JSON.parse(text) as Dashboard;
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ name: title, expr })),
  );
}

/** The metrics that an expression names, as they stand there. */
export function metricsOf({ expr }: Expression): readonly string[] {
  const withoutTexts = expr.replaceAll(/"[^"]*"/g, '""');
  return [...new Set(withoutTexts.match(/\b(?:up|(?:appchain|haproxy)_\w+)\b/g) ?? [])];
}

/** Whether there is such a metric: of a histogram its buckets, sum and count have names of their own. */
export function isMetric(name: string, metrics: ReadonlySet<string>): boolean {
  return metrics.has(name) || metrics.has(name.replace(/_(?:bucket|sum|count)$/, ""));
}
