/** Characters of one text in which runs of words are looked for; what follows isn't looked at. */
export const MAX_RUN_CHARS = 200_000;
