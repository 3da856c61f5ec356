/** Words that show when and where the corpus was collected: dates, names and topics of its lists, broken markup. */
const CORPUS_WORDS = new Set(
  `jan feb mar apr jun jul aug sep sept oct nov dec january february march april june july august september october november
  december mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday url date wrote supplied spam
  spamassassin sightings deathtospam deathtospamdeathtos pamdeathtospam razor satalk sadev spambayes zzzzteana list lists listinfo
  mailing linux mailman pgp perl exmh ilug rpm redhat sourceforge users group groups yahoo fork geek geeks unix debian kernel
  version matthias john justin gary html body head href br hr tr td table font nbsp align arial face ffffff otcbb fax`.split(
    /\s+/,
  ),
);

/**
 * Common words of other languages. All the corpus's mail in them is spam, so the language itself would look
 * like spam.
 */
const FOREIGN_WORDS = new Set(
  `le la les un une des du et est dans pour par sur sans avec vous nous votre vos notre nos que qui pas ce cette ces sont au aux
  se il ils elle je ou mais comme tout tous etre fait si leur leurs ici bien merci bonjour der das den dem und ist sind nicht
  wir sie ihr ihre ihren ihnen mit auf fur ein eine einen einem einer von zu zum zur im bei wie auch oder noch nur aus nach
  uber wenn dass kann konnen haben wird werden sich als hier mehr ich mich sehr el los las y es por con para del al lo su sus
  una uno mas como pero usted nuestro nuestra nuestros este esta estos ser ya o um uma e da dos na nas com nao seu sua seus
  suas voce foi tem di che non gli della dei delle nel alla sono piu questo anche suo het een van voor dat zijn niet aan bij
  uw wij naar deze ook bir ve bu icin ile daha cok her gibi olan olarak kadar siz biz sizin var yok tum att och till det av
  med inte za nie jest sa`.split(/\s+/),
);

/** Whether a feature may be learnt: not specific to the corpus, not foreign, and not a fragment of a word. */
export function isTimeless(feature: string): boolean {
  const parts = feature.split(" ");
  if (parts.some((part) => CORPUS_WORDS.has(part) || FOREIGN_WORDS.has(part))) return false;
  return (
    !/[a-z]/.test(feature) ||
    (parts.some((part) => part.length > 2) && !parts.some((part) => /^[b-hj-z]$/.test(part)))
  );
}
