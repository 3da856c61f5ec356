import { z } from "zod";
import { misspelledNames } from "./misspelled.ts";
import { VARIABLES, type Variable } from "./variables.ts";

type Values = { [N in keyof typeof VARIABLES]: z.output<(typeof VARIABLES)[N]["schema"]> };

/** The server's configuration: the variables by their lower-case names. */
export type Config = { [N in keyof Values as Lowercase<N>]: Values[N] };

/** The variables for the location of large blobs. */
export type S3Config = Pick<Config, "s3_url" | "s3_access_key_id" | "s3_secret_access_key">;

/** An invalid configuration: each line of the message names a variable and gives a remedy. */
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
  const unusableS3 = problemsOfS3(values);
  if (unusableS3.length > 0) throw new ConfigError(unusableS3);
  if (values.S3_URL !== undefined && values.DATABASE_URL === undefined) {
    throw new ConfigError([
      "S3_URL needs DATABASE_URL: with SQLite, large blobs are files in DATA_DIR. Set DATABASE_URL, or remove S3_URL.",
    ]);
  }
  const missingShared = missingSharedVariables(values);
  if (missingShared.length > 0) throw new ConfigError(missingShared);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]),
  ) as unknown as Config;
}

/** Reads the location of large blobs, for commands that are given the database. Throws `ConfigError`. */
export function readS3(environment: Readonly<Record<string, string | undefined>>): S3Config {
  const names = ["S3_URL", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;
  const values = Object.fromEntries(
    names.map((name) => {
      const parsed = VARIABLES[name].schema.safeParse(environment[name] || undefined);
      if (!parsed.success) throw new ConfigError([problemOf(name, environment[name])]);
      return [name, parsed.data];
    }),
  ) as Pick<Values, (typeof names)[number]>;
  const problems = problemsOfS3(values);
  if (problems.length > 0) throw new ConfigError(problems);
  const { S3_URL: s3_url, S3_ACCESS_KEY_ID: s3_access_key_id } = values;
  return { s3_url, s3_access_key_id, s3_secret_access_key: values.S3_SECRET_ACCESS_KEY };
}

function problemsOfS3(
  values: Pick<Values, "S3_URL" | "S3_ACCESS_KEY_ID" | "S3_SECRET_ACCESS_KEY">,
): string[] {
  const { S3_URL, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = values;
  const given = [S3_URL, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY].filter(
    (value) => value !== undefined,
  ).length;
  if (given === 0 || given === 3) return [];
  return ["S3_URL, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together. Set all of them, or none."];
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
