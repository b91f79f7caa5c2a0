import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";

const DEPLOY = resolve(import.meta.dir, "../../deploy/fleet");

/** PromQL expression in a file of `deploy`, and where it is. */
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

/** Expressions of all alerts. */
export function alertExpressions(): readonly Expression[] {
  const { groups } = parse(readFileSync(`${DEPLOY}/alerts.yml`, "utf8")) as Rules;
  return groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => ({ name: alert, expr })));
}

/** Expressions of all panels of the dashboard. */
export function dashboardExpressions(): readonly Expression[] {
  const text = readFileSync(`${DEPLOY}/grafana/appchain.json`, "utf8");
  const { panels } = JSON.parse(text) as Dashboard;
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ name: title, expr })),
  );
}

/** Metrics in an expression, verbatim. */
export function metricsOf({ expr }: Expression): readonly string[] {
  const withoutTexts = expr.replaceAll(/"[^"]*"/g, '""');
  return [...new Set(withoutTexts.match(/\b(?:up|(?:appchain|haproxy)_\w+)\b/g) ?? [])];
}

/** Whether a metric exists; a histogram has separate names for its buckets, sum and count. */
export function isMetric(name: string, metrics: ReadonlySet<string>): boolean {
  return metrics.has(name) || metrics.has(name.replace(/_(?:bucket|sum|count)$/, ""));
}
