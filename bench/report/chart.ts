import type { Curve } from "../metric.ts";

const WIDTH = 720;
const HEIGHT = 420;
const MARGIN = { left: 70, right: 130, top: 40, bottom: 50 };
const COLOURS = ["#1b6ca8", "#c8553d", "#3b8b5a", "#8e5ea2", "#b8860b", "#4a4a4a", "#d36ba6"];

/** Draws cost against stored mail as an SVG with logarithmic axes: a flat line is a cost that doesn't grow. */
export function drawChart(curves: readonly Curve[]): string {
  const xs = curves.flatMap(({ points }) => points.map(([mails]) => mails));
  const ys = curves.flatMap(({ points }) => points.map(([, cost]) => cost)).filter((cost) => cost > 0);
  const x = axis(Math.min(...xs), Math.max(...xs), MARGIN.left, WIDTH - MARGIN.right);
  const y = axis(
    10 ** Math.floor(Math.log10(Math.min(...ys))),
    10 ** Math.ceil(Math.log10(Math.max(...ys))),
    HEIGHT - MARGIN.bottom,
    MARGIN.top,
  );
  const marks = [
    ...decades(xs).map((value) => gridX(x(value), value)),
    ...decades(ys).map((value) => gridY(y(value), value)),
  ];
  const lines = curves.map(({ name, points }, index) => {
    const colour = COLOURS[index % COLOURS.length] ?? "#000";
    const places = points.map(([mails, cost]) => `${x(mails).toFixed(1)},${y(cost).toFixed(1)}`);
    const [lastX = "0", lastY = "0"] = places.at(-1)?.split(",") ?? [];
    return [
      `<polyline points="${places.join(" ")}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      `<text x="${Number(lastX) + 8}" y="${Number(lastY) + 4}" fill="${colour}">${name}</text>`,
    ].join("\n");
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${MARGIN.left}" y="22" font-size="15">CPU of one operation against stored mail</text>`,
    ...marks,
    ...lines,
    `<text x="${(MARGIN.left + WIDTH - MARGIN.right) / 2}" y="${HEIGHT - 12}" text-anchor="middle">stored mails</text>`,
    `<text transform="translate(16 ${HEIGHT / 2}) rotate(-90)" text-anchor="middle">µs of CPU</text>`,
    "</svg>\n",
  ].join("\n");
}

function axis(from: number, to: number, start: number, end: number): (value: number) => number {
  const span = Math.log(to) - Math.log(from) || 1;
  return (value) => start + ((Math.log(value) - Math.log(from)) / span) * (end - start);
}

function decades(values: readonly number[]): number[] {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.ceil(Math.log10(Math.max(...values)));
  return Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
}

const gridX = (x: number, value: number): string =>
  `<text x="${x}" y="${HEIGHT - MARGIN.bottom + 18}" text-anchor="middle">${value.toLocaleString("en-US")}</text>`;

const gridY = (y: number, value: number): string =>
  `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y}" y2="${y}" stroke="#ddd"/><text x="${MARGIN.left - 6}" y="${y + 4}" text-anchor="end">${value.toLocaleString("en-US")}</text>`;
