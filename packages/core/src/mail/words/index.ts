import af from "./af.json" with { type: "json" };
import am from "./am.json" with { type: "json" };
import ar from "./ar.json" with { type: "json" };
import az from "./az.json" with { type: "json" };
import be from "./be.json" with { type: "json" };
import bg from "./bg.json" with { type: "json" };
import bn from "./bn.json" with { type: "json" };
import ca from "./ca.json" with { type: "json" };
import cs from "./cs.json" with { type: "json" };
import cy from "./cy.json" with { type: "json" };
import da from "./da.json" with { type: "json" };
import de from "./de.json" with { type: "json" };
import el from "./el.json" with { type: "json" };
import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import et from "./et.json" with { type: "json" };
import eu from "./eu.json" with { type: "json" };
import fa from "./fa.json" with { type: "json" };
import fi from "./fi.json" with { type: "json" };
import fil from "./fil.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };
import ga from "./ga.json" with { type: "json" };
import gl from "./gl.json" with { type: "json" };
import gu from "./gu.json" with { type: "json" };
import he from "./he.json" with { type: "json" };
import hi from "./hi.json" with { type: "json" };
import hr from "./hr.json" with { type: "json" };
import hu from "./hu.json" with { type: "json" };
import hy from "./hy.json" with { type: "json" };
import id from "./id.json" with { type: "json" };
import is from "./is.json" with { type: "json" };
import it from "./it.json" with { type: "json" };
import ja from "./ja.json" with { type: "json" };
import ka from "./ka.json" with { type: "json" };
import kk from "./kk.json" with { type: "json" };
import km from "./km.json" with { type: "json" };
import kn from "./kn.json" with { type: "json" };
import ko from "./ko.json" with { type: "json" };
import ky from "./ky.json" with { type: "json" };
import type { LanguageWords, Lexicon } from "./language-words.ts";
import lo from "./lo.json" with { type: "json" };
import lt from "./lt.json" with { type: "json" };
import lv from "./lv.json" with { type: "json" };
import mk from "./mk.json" with { type: "json" };
import ml from "./ml.json" with { type: "json" };
import mn from "./mn.json" with { type: "json" };
import mr from "./mr.json" with { type: "json" };
import ms from "./ms.json" with { type: "json" };
import my from "./my.json" with { type: "json" };
import ne from "./ne.json" with { type: "json" };
import nl from "./nl.json" with { type: "json" };
import no from "./no.json" with { type: "json" };
import pa from "./pa.json" with { type: "json" };
import pl from "./pl.json" with { type: "json" };
import pt from "./pt.json" with { type: "json" };
import ro from "./ro.json" with { type: "json" };
import ru from "./ru.json" with { type: "json" };
import si from "./si.json" with { type: "json" };
import sk from "./sk.json" with { type: "json" };
import sl from "./sl.json" with { type: "json" };
import sq from "./sq.json" with { type: "json" };
import sr from "./sr.json" with { type: "json" };
import sv from "./sv.json" with { type: "json" };
import sw from "./sw.json" with { type: "json" };
import ta from "./ta.json" with { type: "json" };
import te from "./te.json" with { type: "json" };
import th from "./th.json" with { type: "json" };
import tr from "./tr.json" with { type: "json" };
import uk from "./uk.json" with { type: "json" };
import ur from "./ur.json" with { type: "json" };
import uz from "./uz.json" with { type: "json" };
import vi from "./vi.json" with { type: "json" };
import zh from "./zh.json" with { type: "json" };
import zu from "./zu.json" with { type: "json" };

export type { LanguageWords, Lexicon } from "./language-words.ts";

/**
 * The words of every language, from its file: `de.json` is German (ISO 639). The order decides between languages that
 * write different numbers alike.
 */
export const LANGUAGES: Readonly<Record<string, LanguageWords>> = {
  en,
  zh,
  es,
  hi,
  ar,
  pt,
  fr,
  ru,
  de,
  ja,
  ko,
  it,
  nl,
  pl,
  tr,
  af,
  am,
  az,
  be,
  bg,
  bn,
  ca,
  cs,
  cy,
  da,
  el,
  et,
  eu,
  fa,
  fi,
  fil,
  ga,
  gl,
  gu,
  he,
  hr,
  hu,
  hy,
  id,
  is,
  ka,
  kk,
  km,
  kn,
  ky,
  lo,
  lt,
  lv,
  mk,
  ml,
  mn,
  mr,
  ms,
  my,
  ne,
  no,
  pa,
  ro,
  si,
  sk,
  sl,
  sq,
  sr,
  sv,
  sw,
  ta,
  te,
  th,
  uk,
  ur,
  uz,
  vi,
  zu,
};

/** The words of one kind in each language that has them, with the language's code. */
export function inEachLanguage<Kind extends keyof LanguageWords>(
  kind: Kind,
): Array<{ language: string; words: NonNullable<LanguageWords[Kind]> }> {
  return Object.entries(LANGUAGES).flatMap(([language, { [kind]: words }]) =>
    words === undefined ? [] : [{ language, words }],
  );
}

/** The words of a kind in all languages together. */
export function inAllLanguages(
  kind:
    | "greetings"
    | "unsubscribe"
    | "vague_weeks"
    | "original_markers"
    | "forward_markers"
    | "reply_prefixes"
    | "forward_prefixes"
    | "automatic_subjects"
    | "above_this_line"
    | "answers_below"
    | "prose_subjects"
    | "closings",
): string[] {
  return inEachLanguage(kind).flatMap(({ words }) => words);
}

/** The words of each meaning in each language that has some. */
export function lexiconOf<Meaning extends string>(
  kind: "commands" | "requests" | "pressure",
): Lexicon<Meaning> {
  return inEachLanguage(kind).map(({ language, words: { words } }): Lexicon<Meaning>[number] => ({
    language,
    words: words as Partial<Record<Meaning, string>>,
  }));
}
