import { z } from "zod";
import { misspelledNames } from "./misspelled.ts";
import { VARIABLES, type Variable } from "./variables.ts";

type Values = { [N in keyof typeof VARIABLES]: z.output<(typeof VARIABLES)[N]["schema"]> };

/** The server's configuration: the variables by their lower-case names. */
export type Config = { [N in keyof Values as Lowercase<N>]: Values[N] };

/** An invalid configuration: each line of the message names a variable and says what to do. */
export class ConfigError extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join("\n"));
    this.name = "ConfigError";
  }
}

/** Reads the configuration. Empty variables count as unset. Throws `ConfigError`. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const slips = misspelledNames(Object.keys(environment), Object.keys(VARIABLES));
  if (slips.length > 0)
    throw new ConfigError(
      slips.map(
        ({ name, meant }) => `${name} is no setting. Set ${meant} if you mean that, or remove ${name}.`,
      ),
    );
  const given = Object.fromEntries(
    Object.keys(VARIABLES).flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  );
  const shape = Object.fromEntries(
    Object.entries<Variable>(VARIABLES).map(([name, { schema }]) => [name, schema]),
  );
  const parsed = z.object(shape).safeParse(given);
  if (!parsed.success)
    throw new ConfigError([
      ...new Set(parsed.error.issues.map(({ path: [name] }) => problemOf(String(name), given[String(name)]))),
    ]);
  const values = parsed.data as Values;
  if ((values.SMTP_CERT === undefined) !== (values.SMTP_KEY === undefined)) {
    throw new ConfigError([
      "SMTP_CERT and SMTP_KEY belong together. Set both, or neither to generate a certificate.",
    ]);
  }
  if ((values.TWILIO_ACCOUNT_SID === undefined) !== (values.TWILIO_AUTH_TOKEN === undefined)) {
    throw new ConfigError([
      "TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN belong together. Set both, or neither to simulate telephony.",
    ]);
  }
  if (values.TWILIO_ACCOUNT_SID !== undefined && values.BASE_URL === undefined) {
    throw new ConfigError([
      "TWILIO_ACCOUNT_SID needs BASE_URL, the public URL at which Twilio reports texts and calls. Set BASE_URL.",
    ]);
  }
  const missingShared = missingSharedVariables(values);
  if (missingShared.length > 0) throw new ConfigError(missingShared);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]),
  ) as unknown as Config;
}

/** A single process can generate or guess these values; several processes must be given the same ones. */
function missingSharedVariables({ DATABASE_URL, ENCRYPTION_KEY, ROLE, BASE_URL }: Values): string[] {
  if (DATABASE_URL === undefined) return [];
  const missing = {
    ENCRYPTION_KEY: ENCRYPTION_KEY === undefined,
    BASE_URL: ROLE !== "all" && BASE_URL === undefined,
  };
  return (Object.keys(missing) as (keyof typeof missing)[])
    .filter((name) => missing[name])
    .map(
      (name) =>
        `${name} must be set, to the same value in every process that uses DATABASE_URL. Set it to ${VARIABLES[name].expects}.`,
    );
}

function problemOf(name: string, value: string | undefined): string {
  const { secret, expects }: Variable = VARIABLES[name as keyof typeof VARIABLES];
  return `${name}${secret || value === undefined ? "" : ` is ${JSON.stringify(value)}, which`} is not valid. Set it to ${expects}.`;
}
