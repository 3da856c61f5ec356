/** Marks of when and where the corpus was gathered, not of what its mail is: dates, its lists' names and subjects, torn markup. */
const marks = new Set(
  `jan feb mar apr jun jul aug sep sept oct nov dec january february march april june july august september october november
  december mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday url date wrote supplied spam
  spamassassin sightings deathtospam deathtospamdeathtos pamdeathtospam razor satalk sadev spambayes zzzzteana list lists listinfo
  mailing linux mailman pgp perl exmh ilug rpm redhat sourceforge users group groups yahoo fork geek geeks unix debian kernel
  version matthias john justin gary html body head href br hr tr td table font nbsp align arial face ffffff otcbb fax`.split(
    /\s+/,
  ),
);

/** Whether a feature may be learnt: no mark of the corpus's time, and no torn piece of a word. */
export function isTimeless(feature: string): boolean {
  const parts = feature.split(" ");
  if (parts.some((part) => marks.has(part))) return false;
  return !/[a-z]/.test(feature) || (parts.some((part) => part.length > 2) && !parts.some((part) => /^[b-hj-z]$/.test(part)));
}
