import type { DataSteps } from "./schema.ts";
import type { Row } from "./sql-dialect.ts";

/** The SQL for the registry of addresses that differs between databases. */
export interface RegistryDialect {
  /** The placeholder of the n-th parameter, counted from 1. */
  parameter(n: number): string;
}

/**
 * Records each address's holder: its inbox, or a person with rights in some account; and the holder that each entry of
 * a list named. A person keeps an address that isn't delivered here although an inbox has it too; one that is delivered
 * here is the inbox's.
 */
export function* registeredAddresses({ parameter }: RegistryDialect): DataSteps {
  yield {
    sql: `update "addresses" set "kind" = 'inbox' where "inbox_id" is not null and "kind" = 'retired'`,
    parameters: [],
  };
  const elsewhere = new Set<unknown>();
  const custom = yield {
    sql: `select d."domain" as "domain", p."domain_id" as "holder", d."id" as "id", d."status" as "status", d."mail" as "mail"
      from "domains" d left join "proven_domains" p on p."domain" = d."domain" order by d."domain"`,
    parameters: [],
  };
  for (const { domain } of custom) elsewhere.add(domain);
  for (const row of custom) if (isReceiving(row)) elsewhere.delete(row["domain"]);
  yield* registerPersons(parameter, elsewhere);
  yield* nameEntries(parameter, elsewhere, { table: "allowlist", column: "address" });
  yield* nameEntries(parameter, elsewhere, { table: "list_entries", column: "entry" });
}

function isReceiving({ id, holder, status, mail }: Row): boolean {
  if (id !== holder || (status !== "verified" && status !== "degraded")) return false;
  const { receiving } = (typeof mail === "string" ? JSON.parse(mail) : mail) as { receiving: boolean };
  return receiving;
}

const domainOf = (address: unknown): string => String(address).slice(String(address).lastIndexOf("@") + 1);

function* registerPersons(parameter: (n: number) => string, elsewhere: ReadonlySet<unknown>): DataSteps {
  const persons = yield {
    sql: `select "email", min("since") as "since" from (
        select "email", coalesce("verified_at", "created_at") as "since" from "owners" where "status" = 'verified'
        union all select "email", "since" from "authorities"
        union all select "first_owner_email", "created_at" from "accounts" where "first_owner_email" is not null
      ) p group by "email" order by "email"`,
    parameters: [],
  };
  for (const { email, since } of persons) {
    const [issued] = yield {
      sql: `select "inbox_id" from "addresses" where "address" = ${parameter(1)}`,
      parameters: [email],
    };
    if (issued === undefined)
      yield {
        sql: `insert into "addresses" ("address", "kind", "account_id", "inbox_id", "created_at") values (${parameter(1)}, 'person', null, null, ${parameter(2)})`,
        parameters: [email, since],
      };
    else if (issued["inbox_id"] === null || elsewhere.has(domainOf(email)))
      yield {
        sql: `update "addresses" set "kind" = 'person' where "address" = ${parameter(1)}`,
        parameters: [email],
      };
  }
}

/** An entry of before names the inbox that its address is delivered to here. */
function* nameEntries(
  parameter: (n: number) => string,
  elsewhere: ReadonlySet<unknown>,
  { table, column }: { table: string; column: string },
): DataSteps {
  const entries = yield {
    sql: `select e."id" as "id", a."address" as "address", a."inbox_id" as "inbox_id" from "${table}" e
      join "addresses" a on a."address" = e."${column}" where a."inbox_id" is not null order by e."id"`,
    parameters: [],
  };
  for (const { id, address, inbox_id } of entries)
    if (!elsewhere.has(domainOf(address)))
      yield {
        sql: `update "${table}" set "names" = ${parameter(1)} where "id" = ${parameter(2)}`,
        parameters: [inbox_id, id],
      };
}
