/** Elements that are written as they are, but for their attributes. Of others only the content is. */
export const ELEMENTS = named(
  "a abbr address area article aside b bdi bdo big blockquote body br button caption center cite code col colgroup data dd del details dfn dir div dl dt em fieldset figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr html i img input ins kbd label legend li main map mark menu nav nobr o:p ol p picture pre q rp rt ruby s samp search section small source span strike strong style sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr",
);
/** Elements of which nothing is written: programs, drawings in other languages, and what browsers don't show. */
export const UNSHOWN = named("iframe math noembed noframes script svg template title");
/** Elements that a mail may have one of, that need no end, and that nothing stands outside of. */
export const WHOLE = named("body html");
/** Elements that go on in the next paragraph until they are closed, which browsers open anew there. */
export const FORMATTING = named("a b big code em font i nobr s small strike strong tt u");
/** Only a part of a table closes another one, and none beyond its own table. */
export const TABLE_PARTS = named("caption col colgroup table tbody td tfoot th thead tr");

const ATTRIBUTES = named(
  "abbr align alt bgcolor border cellpadding cellspacing checked cite class clear color cols colspan compact coords datetime dir disabled face for frame headers height hidden hspace id label lang media name noshade nowrap open placeholder reversed role rowspan rows rules scope shape size sizes span start summary title type usemap valign value vspace width",
);

/** Whether an attribute is written as it is: it loads nothing, runs nothing and leads nowhere. */
export const isPlainAttribute = (name: string): boolean =>
  ATTRIBUTES.has(name) || /^(?:data|aria)-[a-z-]+$/.test(name);

function named(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}
