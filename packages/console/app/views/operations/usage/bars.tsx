import { dateOf, number, words } from "../../../words/index.ts";

export interface Series {
  name: string;
  /** The colour of its bars, by Tailwind's class. */
  fill: string;
  values: readonly number[];
}

const WIDTH = 640;
const HEIGHT = 180;
const TOP = 8;
const GAP = 0.25;

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Bars by day, the series stacked upon each other; what they add up to stands beside the names. */
export function Bars({ days, series }: { days: readonly string[]; series: readonly Series[] }) {
  const totals = days.map((_, day) => sumOf(series.map(({ values }) => values[day] ?? 0)));
  const most = Math.max(1, ...totals);
  const step = WIDTH / days.length;
  const label = series.map(({ name, values }) =>
    words.accountOperations.usage.chart(name, number(sumOf(values))),
  );
  return (
    <figure class="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
      <figcaption>
        <ul class="flex flex-wrap gap-x-5 gap-y-1">
          {series.map(({ name, fill, values }) => (
            <li key={name} class="flex items-center gap-2 text-sm">
              <svg viewBox="0 0 10 10" class={`size-2.5 ${fill}`} aria-hidden="true">
                <rect width="10" height="10" rx="2" />
              </svg>
              {name} <span class="font-semibold tabular-nums">{number(sumOf(values))}</span>
            </li>
          ))}
        </ul>
      </figcaption>
      <div class="flex gap-2">
        <div
          class="flex flex-col justify-between text-right text-xs whitespace-nowrap text-soft tabular-nums"
          aria-hidden="true"
        >
          <span>{number(most)}</span>
          <span>0</span>
        </div>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          class="h-44 w-full min-w-0 border-b border-line"
          role="img"
          aria-label={label.join(", ")}
        >
          {days.map((day, index) => {
            let base = HEIGHT;
            return (
              <g key={day}>
                <title>{`${dateOf(day)}: ${series.map(({ name, values }) => `${number(values[index] ?? 0)} ${name}`).join(", ")}`}</title>
                <rect
                  x={index * step}
                  width={step}
                  height={HEIGHT}
                  class="fill-transparent hover:fill-paper"
                />
                {series.map(({ name, fill, values }) => {
                  const height = ((values[index] ?? 0) / most) * (HEIGHT - TOP);
                  base -= height;
                  return (
                    <rect
                      key={name}
                      x={index * step + (step * GAP) / 2}
                      y={base}
                      width={step * (1 - GAP)}
                      height={height}
                      class={fill}
                    />
                  );
                })}
              </g>
            );
          })}
        </svg>
      </div>
      <div class="flex justify-between text-xs text-soft" aria-hidden="true">
        <span>{dateOf(days[0] ?? "")}</span>
        <span>{dateOf(days.at(-1) ?? "")}</span>
      </div>
    </figure>
  );
}
