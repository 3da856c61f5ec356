/** The colours of one theme. Text on `paper`, `sheet` and its own soft colour has a contrast of 4.5 or more (WCAG AA). */
export interface Theme {
  ink: string;
  soft: string;
  paper: string;
  sheet: string;
  line: string;
  accent: string;
  on_accent: string;
}

/** The topic of a letter, which is the word on its chip; `account` is what concerns a person's own access and address. */
export type Tone = "question" | "approval" | "problem" | "done" | "progress" | "account";

/** The two themes of everything that people see: letters, pages, console and documents. */
export const THEMES: Readonly<Record<"light" | "dark", Theme>> = {
  light: {
    ink: "#171b22",
    soft: "#59616f",
    paper: "#f4f5f7",
    sheet: "#ffffff",
    line: "#dfe3e8",
    accent: "#2b56c6",
    on_accent: "#ffffff",
  },
  dark: {
    ink: "#e9ecf1",
    soft: "#a6afbc",
    paper: "#0f1217",
    sheet: "#191d24",
    line: "#323945",
    accent: "#8fb1ff",
    on_accent: "#0b1633",
  },
};

/** The chip of each tone: its word, and its text and ground in both themes. */
export const CHIPS: Readonly<
  Record<Tone, { word: string; light: readonly [string, string]; dark: readonly [string, string] }>
> = {
  question: { word: "Question", light: ["#1f46a8", "#e6edfd"], dark: ["#a9c3ff", "#20305a"] },
  approval: { word: "Approval", light: ["#7a4b00", "#fbeed6"], dark: ["#f3c57c", "#45330f"] },
  problem: { word: "Problem", light: ["#9c2116", "#fce8e5"], dark: ["#ffb1a6", "#4f201b"] },
  done: { word: "Done", light: ["#15663b", "#e0f4e8"], dark: ["#83dba9", "#143d28"] },
  progress: { word: "Progress", light: ["#4c5563", "#eceff3"], dark: ["#c0c8d3", "#2c333d"] },
  account: { word: "Account", light: ["#374a63", "#e3edf3"], dark: ["#b4cbdd", "#22384a"] },
};

/** The fonts of the reader's own system. */
export const FONTS = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
export const CODE_FONTS = "ui-monospace,SFMono-Regular,Menlo,Consolas,monospace";

/** The type scale: size and height of a line in pixels, where the reader's own text has 16. */
export const TYPE = {
  tiny: [12, 16],
  small: [13, 20],
  note: [14, 20],
  text: [16, 24],
  lead: [18, 28],
  title: [20, 28],
  head: [24, 30],
  code: [30, 36],
} as const;

/** All spacing is a multiple of this many pixels. */
export const STEP = 4;

/** How round corners are, in pixels: of quotes and small controls, of fields and buttons, of sheets, and of what has no corners. */
export const ROUND = { small: 6, field: 8, sheet: 12, full: 20 } as const;

/** The shadow of a sheet on paper. */
export const SHADOW = "0 1px 2px rgb(15 18 23 / 0.06)";

const stroke = { "stroke-width": "1.6", "stroke-linecap": "round", "stroke-linejoin": "round" };

/** The mark: a letter that goes into a slot. Its shapes on a square of 32, from back to front. */
export const MARK: readonly (readonly [
  name: "rect" | "path",
  attributes: Readonly<Record<string, string>>,
])[] = [
  ["rect", { width: "32", height: "32", rx: "8", fill: "#2b56c6" }],
  ["path", { d: "M9 18V9.5A1.5 1.5 0 0 1 10.5 8h11A1.5 1.5 0 0 1 23 9.5V18z", fill: "#fff" }],
  ["path", { d: "m9.8 9.3 6.2 5 6.2-5", fill: "none", stroke: "#2b56c6", ...stroke }],
  ["rect", { x: "5.5", y: "18", width: "21", height: "4.5", rx: "2.25", fill: "#0f2768" }],
];

const markShapes = MARK.map(([name, attributes]) => {
  const written = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}="${value}"`);
  return `<${name}${written.join("")}/>`;
}).join("");

/** The mark as a file of its own. */
export const MARK_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" role="img" aria-label="Letterslot">${markShapes}</svg>`;

const rem = (pixels: number): string => `${pixels / 16}rem`;

/**
 * The look as CSS variables, in light and dark: `--ink`, `--question` and `--question-ground` of a tone, `--type-text` and
 * `--type-text-line` of a size, `--round-field`, `--step`, `--shade`, `--fonts`.
 */
export function themeVariables(): string {
  const plain = [
    ["fonts", FONTS],
    ["code-fonts", CODE_FONTS],
    ...Object.entries(TYPE).flatMap(([name, [size, line]]) => [
      [`type-${name}`, rem(size)],
      [`type-${name}-line`, rem(line)],
    ]),
    ["step", rem(STEP)],
    ...Object.entries(ROUND).map(([name, pixels]) => [`round-${name}`, rem(pixels)]),
    ["shade", SHADOW],
  ];
  return `:root { ${plain.map(([name, value]) => `--${name}: ${value};`).join(" ")} ${coloursOf("light")} }
@media (prefers-color-scheme: dark) { :root { ${coloursOf("dark")} } }`;
}

function coloursOf(theme: "light" | "dark"): string {
  const plain = Object.entries(THEMES[theme]).map(([name, colour]) => [name.replace("_", "-"), colour]);
  const tones = Object.entries(CHIPS).flatMap(
    ([
      tone,
      {
        [theme]: [text, ground],
      },
    ]) => [
      [tone, text],
      [`${tone}-ground`, ground],
    ],
  );
  return [...plain, ...tones].map(([name, colour]) => `--${name}: ${colour};`).join(" ");
}
