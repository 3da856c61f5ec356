const MAX_CHARS = 500;

/** Systems by the start of the User-Agent's comment; the order tells apart those that name several. */
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/^(?:iPhone|iPad|iPod touch|iPod);/, "iOS"],
  [/^(?:Linux; )?(?:U; )?Android\b/, "Android"],
  [/^Windows NT\b/, "Windows"],
  [/^Macintosh;/, "macOS"],
  [/^X11;(?: \w+;)? Linux\b/, "Linux"],
];

const VERSION = "[\\d.]{1,40}";
const WEBKIT = `AppleWebKit/${VERSION} \\(KHTML, like Gecko\\)`;
const CHROMIUM = `${WEBKIT} Chrome/${VERSION}(?: Mobile)? Safari/${VERSION}`;
const ON_IOS = `${WEBKIT}(?: Version/${VERSION})?`;
const MOBILE = `Mobile/\\w{1,20} Safari/${VERSION}`;

/**
 * The end of the User-Agent of each browser. All of it must match, so that a browser built on another isn't mistaken
 * for it.
 */
const BROWSERS: readonly (readonly [string, string])[] = [
  [`Gecko/${VERSION} Firefox/${VERSION}`, "Firefox"],
  [`${ON_IOS} FxiOS/${VERSION} ${MOBILE}`, "Firefox"],
  [`${CHROMIUM} EdgA?/${VERSION}`, "Edge"],
  [`${ON_IOS} EdgiOS/${VERSION} ${MOBILE}`, "Edge"],
  [`${CHROMIUM} OPR/${VERSION}`, "Opera"],
  [`${ON_IOS} ${MOBILE} OPT/${VERSION}`, "Opera"],
  [`${WEBKIT} SamsungBrowser/${VERSION} Chrome/${VERSION}(?: Mobile)? Safari/${VERSION}`, "Samsung Internet"],
  [CHROMIUM, "Chrome"],
  [`${ON_IOS} CriOS/${VERSION} ${MOBILE}`, "Chrome"],
  [`${WEBKIT} Version/${VERSION}(?: Mobile/\\w{1,20})? Safari/${VERSION}`, "Safari"],
];

const ENDS = BROWSERS.map(([source, name]) => ({ end: new RegExp(`^${source}$`), name }));

/**
 * Names the browser and system of a User-Agent header from a closed list, such as "Firefox on Linux"; "a program" for
 * everything else. Never quotes the header: the requester chooses its text.
 */
export function browserName(user_agent: string | null): string {
  const [, about = "", rest = ""] =
    /^Mozilla\/5\.0 \(([^()]*)\) (.*)$/.exec(user_agent?.slice(0, MAX_CHARS + 1) ?? "") ?? [];
  const too_long = (user_agent?.length ?? 0) > MAX_CHARS;
  const system = SYSTEMS.find(([start]) => start.test(about))?.[1];
  const browser = ENDS.find(({ end }) => end.test(rest))?.name;
  return too_long || system === undefined || browser === undefined ? "a program" : `${browser} on ${system}`;
}
