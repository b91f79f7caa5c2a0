import { useEffect, useRef } from "hono/jsx/dom";
import UPlot from "uplot";
import { theme } from "../state/preferences.ts";
import { useStore } from "../state/store.ts";

/** One value a minute. */
export interface MinuteSeries {
  /** Name and unit. */
  readonly name: string;
  /** Start of each minute in Unix seconds. */
  readonly seconds: readonly number[];
  readonly values: readonly number[];
  /** Limit, drawn as a line; `null` for no limit. */
  readonly limit: number | null;
}

const HEIGHT_PX = 176;

/** A limit above this multiple of the highest value would flatten the bars. */
const NEAR = 3;

/** Chart of a series of minutes, as bars. The text for screen readers has its last and its highest value. */
export function MinuteChart({ name, seconds, values, limit }: MinuteSeries) {
  const place = useRef<HTMLDivElement>(null);
  const colours = useStore(theme);
  const text = `${name}: ${values.at(-1) ?? 0} in the last minute, at most ${Math.max(0, ...values)} in the last hour.`;
  useEffect(() => {
    const element = place.current;
    if (element === null || element === undefined) return;
    // An effect may run again before its cleanup did.
    element.replaceChildren();
    const highest = highestOf(values, limit);
    const plot = new UPlot(
      optionsOf(element, name, highest),
      dataOf(seconds, values, limit),
      element,
    );
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [name, colours, seconds.join(), values.join(), limit]);
  return (
    <figure style={{ margin: "0" }}>
      <div class="chart" ref={place} aria-hidden="true" />
      <figcaption class="visually-hidden">{text}</figcaption>
    </figure>
  );
}

function dataOf(
  seconds: readonly number[],
  values: readonly number[],
  limit: number | null,
): UPlot.AlignedData {
  return [[...seconds], [...values], seconds.map(() => limit)];
}

/** Returns the top of the axis: the limit is within it only if the values are near it. */
function highestOf(values: readonly number[], limit: number | null): number {
  const highest = Math.max(1, ...values);
  return limit !== null && limit < NEAR * highest ? Math.max(limit, highest) : highest;
}

function optionsOf(element: HTMLElement, name: string, highest: number): UPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (token: string): string => style.getPropertyValue(token).trim();
  const axis = {
    stroke: colour("--muted"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
    font: `11px ${colour("--sans")}`,
  };
  const bars = UPlot.paths.bars?.({ size: [0.7, 24] });
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { y: false },
    scales: { y: { range: () => [0, highest * 1.1] } },
    axes: [axis, { ...axis, size: 56, values: (_, ticks) => ticks.map(compact) }],
    series: [
      {},
      {
        label: name,
        stroke: colour("--accent"),
        fill: colour("--accent"),
        ...(bars === undefined ? {} : { paths: bars }),
        points: { show: false },
      },
      { label: "limit", stroke: colour("--warn"), dash: [4, 4], points: { show: false } },
    ],
  };
}

/** Shortens a tick: `1.2 M`. */
function compact(value: number): string {
  return new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(
    value,
  );
}
