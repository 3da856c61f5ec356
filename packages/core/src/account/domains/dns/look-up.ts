import { type Dns, isAbsent } from "../../../ports/dns.ts";

/** A host that takes mail for a name; `exchange` is empty for "no mail at all" (RFC 7505). */
export interface MailHost {
  exchange: string;
  priority: number;
}

/** The look-ups of one check: each name and type is queried once, and failures are remembered. */
export interface LookUps {
  /** The TXT records of a name, each joined to one text; none if there are none. */
  texts(name: string): Promise<string[]>;
  mailHosts(name: string): Promise<MailHost[]>;
  /** The name that a name is an alias of. */
  alias(name: string): Promise<string | undefined>;
  addresses(name: string): Promise<string[]>;
  /** The names that couldn't be looked up, each with the code of its failure. */
  troubles(): ReadonlyMap<string, string>;
  /** Ends the look-ups that are still under way: they fail with the code `ETIMEOUT`. */
  end(): void;
}

/** A look-up that failed, which says nothing about whether the record is there. */
export class DnsTrouble extends Error {}

/** Starts the look-ups of one check. They fail with `DnsTrouble`; a name that isn't there has no records. */
export function createLookUps(dns: Dns): LookUps {
  const answers = new Map<string, Promise<unknown[]>>();
  const troubles = new Map<string, string>();
  const ending = Promise.withResolvers<never>();
  // When a check ends in time, no look-up is waiting for this any more.
  ending.promise.catch(() => undefined);

  async function ask(name: string, type: "TXT" | "MX" | "CNAME" | "A" | "AAAA"): Promise<unknown[]> {
    try {
      return await Promise.race([dns.resolve(name, type as "TXT"), ending.promise]);
    } catch (error) {
      if (isAbsent(error)) return [];
      const code = error instanceof Error && "code" in error ? String(error.code) : "EUNKNOWN";
      troubles.set(name, code);
      throw new DnsTrouble(`${name} could not be looked up (${code})`);
    }
  }

  function once(name: string, type: "TXT" | "MX" | "CNAME" | "A" | "AAAA"): Promise<unknown[]> {
    const key = `${type} ${name}`;
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = ask(name, type);
    answers.set(key, answer);
    return answer;
  }

  return {
    troubles: () => troubles,
    end: () => ending.reject(Object.assign(new Error("The check takes too long."), { code: "ETIMEOUT" })),
    async texts(name) {
      const texts = (await once(name, "TXT")) as string[][];
      return texts.map((strings) => strings.join(""));
    },
    async mailHosts(name) {
      const hosts = (await once(name, "MX")) as MailHost[];
      return hosts
        .map(({ exchange, priority }) => ({ exchange: plainName(exchange), priority }))
        .sort((one, other) => one.priority - other.priority);
    },
    async alias(name) {
      const [target] = (await once(name, "CNAME")) as string[];
      return target === undefined ? undefined : plainName(target);
    },
    async addresses(name) {
      const [v4, v6] = await Promise.all([once(name, "A"), once(name, "AAAA")]);
      return [...v4, ...v6] as string[];
    },
  };
}

/** A name as it is compared: in lower case, without a dot at the end. */
export const plainName = (name: string): string => name.toLowerCase().replace(/\.$/, "");
