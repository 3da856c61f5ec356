import { invalid, type Judgement, missing, valid } from "./judge.ts";
import type { LookUps } from "./look-up.ts";
import { OWNERSHIP_PREFIX } from "./wanted.ts";

/** Judges the proof that an account owns a domain. Fails with `DnsTrouble`. */
export async function judgeOwnership(
  look: LookUps,
  { name, value, domain }: { name: string; value: string; domain: string },
): Promise<Judgement> {
  const found = await look.texts(name);
  if (found.some((text) => text.trim() === value)) return valid(found);
  if (found.some((text) => text.includes(value)))
    return invalid(
      `The proof at ${name} has more than the value shown; paste it without quotation marks.`,
      found,
    );
  if (found.some((text) => text.includes(OWNERSHIP_PREFIX)))
    return invalid(
      `The proof at ${name} is of another account or domain; replace it with the value shown.`,
      found,
    );
  const at_domain = await look.texts(domain);
  if (at_domain.some((text) => text.includes(value)))
    return missing(`The proof stands at ${domain}; publish it at ${name} instead.`, found);
  return missing(
    `Add a TXT record at ${name} with the value shown, to prove that the domain is yours.`,
    found,
  );
}
