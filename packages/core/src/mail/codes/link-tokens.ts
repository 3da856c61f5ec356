const RUN = /[\w~.%-]{16,}/g;

const isMixed = (part: string): boolean => part.length >= 4 && /\d/.test(part) && /[a-z]/i.test(part);
const isTokenRun = (run: string): boolean => run.split(/[-._~%]/).some(isMixed);

/** Whether a part of a URL holds what nobody would choose as a name: mixed letters and digits. */
export const bearsRun = (text: string): boolean => (text.match(RUN) ?? []).some(isTokenRun);

/**
 * What in a text could be the token of a one-time link, in lower case and without marks: by it a link is known again,
 * also without its host.
 */
export function tokensOf(text: string): string[] {
  const runs = (text.match(RUN) ?? []).filter(isTokenRun);
  const numbers = Array.from(text.matchAll(/=(\d{6,})/g), ([, number = ""]) => number);
  return [...runs, ...numbers].map((token) => token.toLowerCase().replace(/[^a-z0-9]/g, ""));
}
